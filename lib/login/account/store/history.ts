import { addSeconds } from "../../protocol/time.ts";
import type { BrowserSession } from "../../store/browser-session.ts";
import { type Database, statement } from "../../store/database.ts";

/** A browser is shown the changes of the account from this long before its sign-in. */
export const CHANGES_SHOWN_SECONDS = 7 * 24 * 60 * 60;

/** The changes to an account that the user is shown. */
const CHANGES = [
  "credential_added",
  "credential_removed",
  "api_key_created",
  "api_key_revoked",
  "webhook_secret_rotated",
  "webhook_url_changed",
  "domain_deleted",
  "signed_out_everywhere",
  "recovery_codes_made",
  "recovery_opened",
  "recovery_pending",
  "recovery_cancelled",
  "recovered",
] as const;

export type ChangeKind = (typeof CHANGES)[number];

/** An audit entry: one line of the history of a login, or of an account. */
export type AuditEntry = {
  id: string;
  at: Date;
  kind:
    | "issued"
    | "delivered"
    | "refused"
    | "unregistered"
    | "session_created"
    | "session_ended"
    | "approved"
    | "undone"
    | ChangeKind;
  reason: string | null;
  credential: string | null;
  deviceInfo: unknown;
  userAgent: string | null;
  /** What was changed, if it is not a credential. */
  subject: string | null;
};

const FIELDS = `id::text AS id, at, kind::text AS kind, reason, credential, device_info AS "deviceInfo",
      user_agent AS "userAgent", subject`;
// Compared as text, because not every site's tables know every kind.
const IS_CHANGE = `kind::text IN (${CHANGES.map((kind) => `'${kind}'`).join(", ")})`;

/** The sign-ins, approvals included. If the browser is new to the account, the entry's subject announces it. */
export const SIGN_INS: readonly AuditEntry["kind"][] = ["session_created", "approved"];
const IS_SIGN_IN = `kind IN (${SIGN_INS.map((kind) => `'${kind}'`).join(", ")})`;

const LIST = statement({
  name: "list-audit-entries",
  select: `SELECT ${FIELDS} FROM login_event WHERE user_id = $1::int ORDER BY at DESC, login_event.id DESC LIMIT $2::int`,
});

/** What happened to a user's logins, newest first. */
export function listAuditEntries(database: Database, userId: number, limit: number): Promise<AuditEntry[]> {
  return database.run<AuditEntry>(LIST, [userId, limit]);
}

/** The browser session that changes are shown to. */
type Viewer = Pick<BrowserSession, "id" | "userId" | "createdAt">;

const shownSince = ({ createdAt }: Viewer) => addSeconds(createdAt, -CHANGES_SHOWN_SECONDS);

const LIST_CHANGES = statement({
  name: "list-account-changes",
  select: `SELECT ${FIELDS} FROM login_event
    WHERE user_id = $1::int AND ${IS_CHANGE} AND at >= $2::timestamptz AND NOT $3::uuid = ANY(dismissed_in)
    ORDER BY at DESC, login_event.id DESC LIMIT $4::int`,
});

/**
 * The changes since seven days before a browser session signed in, without those that it dismissed, newest first. Its
 * own are included: a copy of its token may have made them, and the user may not have looked at another browser since.
 */
export function listChanges(database: Database, viewer: Viewer, limit: number): Promise<AuditEntry[]> {
  return database.run<AuditEntry>(LIST_CHANGES, [viewer.userId, shownSince(viewer), viewer.id, limit]);
}

/** A browser that signed in to the account for the first time. */
export type NewBrowser = {
  /** The id of the audit entry that announces it. */
  id: string;
  at: Date;
  userAgent: string | null;
  /** Its session; null once that has ended. */
  sessionId: string | null;
};

const LIST_NEW_BROWSERS = statement({
  name: "list-new-browsers",
  select: `SELECT event.id::text AS id, event.at, event.user_agent AS "userAgent", session.id AS "sessionId"
    FROM login_event AS event LEFT JOIN browser_session AS session
      ON session.user_id = event.user_id AND decode(event.subject, 'hex') = ANY(session.undo_hashes)
    WHERE event.user_id = $1::int AND event.${IS_SIGN_IN} AND event.subject IS NOT NULL
      AND event.at >= $2::timestamptz AND NOT $3::uuid = ANY(event.dismissed_in)
      AND session.id IS DISTINCT FROM $3::uuid
      AND (event.at > (SELECT created_at FROM user_account WHERE id = $1::int) + interval '10 minutes' OR EXISTS (
        SELECT 1 FROM login_event AS earlier
        WHERE earlier.user_id = event.user_id AND earlier.kind = 'session_created' AND earlier.id < event.id
      ))
    ORDER BY event.at DESC, event.id DESC LIMIT $4::int`,
});

/**
 * Other browsers that are new to the account and not dismissed in this session, newest first, as long as changes are
 * shown. The account's first browser does not count.
 */
export function listNewBrowsers(database: Database, viewer: Viewer, limit: number): Promise<NewBrowser[]> {
  return database.run<NewBrowser>(LIST_NEW_BROWSERS, [viewer.userId, shownSince(viewer), viewer.id, limit]);
}

const DISMISS = statement({
  name: "dismiss-changes",
  with: `dismissed AS (
    UPDATE login_event SET dismissed_in = array_append(dismissed_in, $3::uuid)
    WHERE id = ANY(string_to_array($4::text, ',')::bigint[]) AND user_id = $1::int
      AND (${IS_CHANGE} OR ${IS_SIGN_IN} AND decode(subject, 'hex') <> ALL (
        SELECT unnest(undo_hashes) FROM browser_session WHERE id = $3::uuid
      ))
      AND at >= $2::timestamptz AND NOT $3::uuid = ANY(dismissed_in)
  )`,
  select: "SELECT 1 AS done",
});

/** Dismisses changes and new browsers in one browser session. Ids of changes that it is not shown have no effect. */
export async function dismissChanges(
  database: Database,
  viewer: Viewer,
  ids: readonly string[],
): Promise<void> {
  await database.run(DISMISS, [viewer.userId, shownSince(viewer), viewer.id, ids.join(",")]);
}
