import type { BrowserSession } from "../../../store/browser-session.ts";
import { type Database, statement } from "../../../store/database.ts";

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

const FIELDS = `login_event.id::text AS id, at, kind::text AS kind, reason, credential, device_info AS "deviceInfo",
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

/** The browser session that notices are shown to. */
type Viewer = Pick<BrowserSession, "id">;

/** The row of that session, `$1`, and from when on it is shown what happened. @param locking how the row is locked */
const viewer = (locking = "") => `viewer AS (
    SELECT session.*, COALESCE(lineage, session.id) AS line, account.created_at AS account_since,
      session.created_at - interval '${CHANGES_SHOWN_SECONDS} seconds' AS shown_since
    FROM browser_session AS session JOIN user_account AS account ON account.id = session.user_id
    WHERE session.id = $1::uuid ${locking}
  )`;

/** What an audit entry must be so that it can be a notice: the condition of the index that finds them. */
const mayBeNotice = (entry: string) =>
  `${entry}.kind NOT IN ('issued', 'delivered', 'refused', 'unregistered', 'session_ended')
      AND (${entry}.subject IS NOT NULL OR ${entry}.kind NOT IN ('session_created', 'approved'))`;
const MAY_BE_NOTICE = mayBeNotice("event");

/** The entries that may be notices for the viewer and that it has not dismissed. */
const OPEN = `login_event AS event JOIN viewer ON event.user_id = viewer.user_id
      AND event.at >= viewer.shown_since AND event.id > viewer.notices_dismissed_to
      AND event.id <> ALL(viewer.notices_dismissed)
      -- Dismissed at a process of the previous version.
      AND NOT viewer.id = ANY(event.dismissed_in)`;

/** The sign-ins in another browser that is new to the account. The account's first browser does not count. */
const IS_NEW_BROWSER = `(event.${IS_SIGN_IN} AND event.subject IS NOT NULL
      AND event.by_session IS DISTINCT FROM viewer.line
      AND event.subject <> ALL(SELECT encode(undo.hash, 'hex') FROM unnest(viewer.undo_hashes) AS undo(hash))
      AND (event.at > viewer.account_since + interval '10 minutes' OR EXISTS (
        SELECT 1 FROM login_event AS earlier
        WHERE earlier.user_id = event.user_id AND earlier.kind = 'session_created' AND earlier.id < event.id
      )))`;

/**
 * What an undone sign-in (`event`) has changed and what is still so, as `change`: sign-in methods, with their row as
 * `added`, API keys, recovery codes, webhooks. An undo ends the sessions that a sign-in opened, but does not reverse their changes.
 */
const LEFT_BEHIND = `login_event AS sign_in
      JOIN login_event AS change ON change.user_id = sign_in.user_id AND change.by_session = sign_in.by_session
        AND change.id > sign_in.id AND ${mayBeNotice("change")}
      LEFT JOIN credential AS added ON change.kind = 'credential_added' AND added.user_id = change.user_id
        AND added.value = change.credential AND added.created_at <= change.at
    WHERE sign_in.sid = event.sid AND sign_in.user_id = event.user_id AND sign_in.kind IN ('session_created', 'approved')
      AND (added.id IS NOT NULL OR change.kind::text
          IN ('api_key_created', 'recovery_codes_made', 'webhook_url_changed', 'webhook_secret_rotated')
        AND NOT EXISTS (
          SELECT 1 FROM login_event AS later
          WHERE later.user_id = change.user_id AND later.id > change.id AND ${mayBeNotice("later")}
            AND later.subject IS NOT DISTINCT FROM change.subject AND later.kind::text IN ('domain_deleted',
              CASE change.kind::text WHEN 'api_key_created' THEN 'api_key_revoked' ELSE change.kind::text END)
        ))`;

/** The undone sign-ins that have left something behind. */
const IS_UNDONE = `(event.kind::text = 'undone' AND EXISTS (SELECT 1 FROM ${LEFT_BEHIND}))`;

const LIST_CHANGES = statement({
  name: "list-account-changes",
  with: viewer(),
  select: `SELECT ${FIELDS} FROM (
      SELECT event.* FROM ${OPEN} WHERE ${MAY_BE_NOTICE} AND event.${IS_CHANGE} ORDER BY event.id DESC LIMIT $2::int
    ) AS login_event ORDER BY login_event.id DESC`,
});

/**
 * The changes since seven days before a browser session signed in, without those that it dismissed, newest first. Its
 * own are included: a copy of its token may have made them, and the user may not have looked at another browser since.
 */
export function listChanges(database: Database, { id }: Viewer, limit: number): Promise<AuditEntry[]> {
  return database.run<AuditEntry>(LIST_CHANGES, [id, limit]);
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
  with: `${viewer()}, event AS (
    SELECT event.* FROM ${OPEN} WHERE ${MAY_BE_NOTICE} AND ${IS_NEW_BROWSER} ORDER BY event.id DESC LIMIT $2::int
  )`,
  select: `SELECT event.id::text AS id, event.at, event.user_agent AS "userAgent", session.id AS "sessionId"
    FROM event LEFT JOIN browser_session AS session ON session.user_id = event.user_id
      AND (COALESCE(session.lineage, session.id) = event.by_session
        OR decode(event.subject, 'hex') = ANY(session.undo_hashes))
    ORDER BY event.id DESC`,
});

/**
 * Other browsers that are new to the account and not dismissed in this session, newest first, as long as changes are
 * shown.
 */
export function listNewBrowsers(database: Database, { id }: Viewer, limit: number): Promise<NewBrowser[]> {
  return database.run<NewBrowser>(LIST_NEW_BROWSERS, [id, limit]);
}

/** An undone sign-in, and what is left of what it changed. */
export type UndoneSignIn = Pick<AuditEntry, "at" | "userAgent"> & {
  /** The id of the audit entry that says that it was undone. */
  id: string;
  /** The oldest first. */
  left: (Pick<AuditEntry, "kind" | "credential" | "subject"> & {
    /** The sign-in method that was added; null for other changes. */
    credentialId: string | null;
  })[];
};

const LIST_UNDONE = statement({
  name: "list-undone-sign-ins",
  with: viewer(),
  select: `SELECT event.id::text AS id, event.at, event.user_agent AS "userAgent", (
      SELECT json_agg(json_build_object('kind', kind, 'credential', credential, 'subject', subject,
        'credentialId', "credentialId") ORDER BY id)
      FROM (
        SELECT change.id, change.kind::text, change.credential, change.subject, added.id AS "credentialId"
        FROM ${LEFT_BEHIND} ORDER BY change.id DESC LIMIT $2::int
      ) AS newest
    ) AS left
    FROM ${OPEN} WHERE ${MAY_BE_NOTICE} AND ${IS_UNDONE} ORDER BY event.id DESC LIMIT $2::int`,
});

/**
 * The sign-ins that were undone and whose changes still hold, newest first, until dismissed or until nothing is left of
 * them.
 */
export function listUndone(database: Database, { id }: Viewer, limit: number): Promise<UndoneSignIn[]> {
  return database.run<UndoneSignIn>(LIST_UNDONE, [id, limit]);
}

/** How many notices a session may be in the middle of showing: those on its pages, and those of an earlier page. */
const SHOWN_KEPT = 100;

const NOTE_SHOWN = statement({
  name: "note-shown-notices",
  with: `given AS (SELECT string_to_array($2::text, ',')::bigint[] AS ids), noted AS (
    UPDATE browser_session SET notices_shown = given.ids || ARRAY(
      SELECT id FROM unnest(notices_shown) AS id WHERE id <> ALL(given.ids) ORDER BY id DESC LIMIT ${SHOWN_KEPT}
    )
    FROM given WHERE browser_session.id = $1::uuid AND NOT notices_shown @> given.ids
  )`,
  select: "SELECT 1 AS done",
  durable: false,
});

/** Notes which notices a browser session is shown, so that it can dismiss them. */
export async function noteShown(
  database: Database,
  { id }: Viewer,
  notices: readonly { id: string }[],
): Promise<void> {
  if (notices.length === 0) return;
  await database.run(NOTE_SHOWN, [id, notices.map((notice) => notice.id).join(",")]);
}

/** How many notices a session dismisses while an older one is open. Beyond them the oldest are shown again. */
const DISMISSED_KEPT = 500;
/** No entry appears among those that are older: longer than any statement or transaction may run. */
const SETTLED_SECONDS = 60;

const DISMISS = statement({
  name: "dismiss-changes",
  with: `${viewer("FOR NO KEY UPDATE OF session")}, dismissed AS (
    SELECT notice.id FROM viewer, unnest(notices_dismissed) AS notice(id)
    UNION
    SELECT notice.id FROM viewer, unnest(string_to_array($3::text, ',')::bigint[]) AS notice(id)
    WHERE notice.id = ANY(notices_shown)
  ), oldest_open AS (
    SELECT min(event.id) AS id FROM ${OPEN}
    WHERE ${MAY_BE_NOTICE} AND (event.${IS_CHANGE} OR ${IS_NEW_BROWSER} OR ${IS_UNDONE})
      AND event.id NOT IN (SELECT id FROM dismissed)
  ), settled AS (
    SELECT max(event.id) AS id FROM dismissed JOIN login_event AS event USING (id)
    WHERE event.at < $2::timestamptz - interval '${SETTLED_SECONDS} seconds'
      AND event.id < COALESCE((SELECT id FROM oldest_open), event.id + 1)
  ), kept AS (
    UPDATE browser_session SET
      notices_shown = ARRAY(SELECT id FROM unnest(notices_shown) AS id WHERE id NOT IN (SELECT id FROM dismissed)),
      notices_dismissed_to = GREATEST(notices_dismissed_to, (SELECT id FROM settled)),
      notices_dismissed = ARRAY(
        SELECT id FROM dismissed WHERE id > GREATEST(notices_dismissed_to, (SELECT id FROM settled))
        ORDER BY id DESC LIMIT ${DISMISSED_KEPT}
      )
    WHERE id = (SELECT id FROM viewer)
  )`,
  select: "SELECT 1 AS done",
});

/**
 * Dismisses changes and new browsers in one browser session, and only those that it has been shown. The session notes
 * up to which entry it has dismissed all, and the others one by one.
 */
export async function dismissChanges(
  database: Database,
  { id }: Viewer,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await database.run(DISMISS, [id, now, ids.join(",")]);
}
