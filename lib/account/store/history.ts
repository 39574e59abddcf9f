import { Prisma } from "#generated/prisma/client.ts";
import type { Asker } from "#lib/approval/asker.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { db, type Queries } from "#lib/platform/database/db.ts";

/** A browser that signs in is shown the changes of the account since this long before. */
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
  id: bigint;
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
  /** What was changed, where it is no credential. */
  subject: string | null;
};

const FIELDS = {
  id: true,
  at: true,
  kind: true,
  reason: true,
  credential: true,
  deviceInfo: true,
  userAgent: true,
  subject: true,
} as const;

/** What happened to a user's logins, newest first. */
export async function listAuditEntries(userId: number, limit: number): Promise<AuditEntry[]> {
  return db().loginEvent.findMany({
    where: { userId },
    orderBy: { at: "desc" },
    take: limit,
    select: FIELDS,
  });
}

/** Records a change of the account, in the transaction that makes it. */
export async function recordChange(
  queries: Queries,
  { now, userId, userAgent }: Asker,
  kind: ChangeKind,
  subject: string | null,
): Promise<void> {
  await queries.$executeRaw`
    INSERT INTO login_event (at, kind, user_id, subject, user_agent)
    VALUES (${now}::timestamptz, ${kind}::login_event_kind, ${userId}, ${subject}, ${userAgent})`;
}

/** Whose changes a browser session is shown, and since when. */
type Viewer = Pick<BrowserSession, "id" | "userId" | "createdAt">;

const shownSince = ({ createdAt }: Viewer) => addSeconds(createdAt, -CHANGES_SHOWN_SECONDS);

/**
 * The changes that a browser session has not dismissed, its own too, newest first: since seven days before it signed
 * in. A copy of its token may have made them, and this may be the first browser that the user looks at since.
 */
export async function listChanges(viewer: Viewer, limit: number): Promise<AuditEntry[]> {
  const { id, userId } = viewer;
  return db().loginEvent.findMany({
    where: {
      userId,
      kind: { in: [...CHANGES] },
      at: { gte: shownSince(viewer) },
      NOT: { dismissedIn: { has: id } },
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
    select: FIELDS,
  });
}

/** A browser that signed in to the account for the first time. */
export type NewBrowser = {
  /** Of its announcement. */
  id: bigint;
  at: Date;
  userAgent: string | null;
  /** Its session; null once that has ended. */
  sessionId: string | null;
};

/**
 * The new browsers that another browser of the user has not dismissed, newest first, as long as changes are shown. The
 * first browser of all is none.
 */
export async function listNewBrowsers(viewer: Viewer, limit: number): Promise<NewBrowser[]> {
  const { id, userId } = viewer;
  return db().$queryRaw<NewBrowser[]>`
    SELECT event.id, event.at, event.user_agent AS "userAgent", session.id AS "sessionId"
    FROM login_event AS event LEFT JOIN browser_session AS session
      ON session.user_id = event.user_id AND decode(event.subject, 'hex') = ANY(session.undo_hashes)
    WHERE event.user_id = ${userId} AND event.kind = 'session_created' AND event.subject IS NOT NULL
      AND event.at >= ${shownSince(viewer)}::timestamptz AND NOT ${id}::uuid = ANY(event.dismissed_in)
      AND session.id IS DISTINCT FROM ${id}::uuid
      AND (event.at > (SELECT created_at FROM user_account WHERE id = ${userId}) + interval '10 minutes' OR EXISTS (
        SELECT 1 FROM login_event AS earlier
        WHERE earlier.user_id = event.user_id AND earlier.kind = 'session_created' AND earlier.id < event.id
      ))
    ORDER BY event.at DESC, event.id DESC LIMIT ${limit}`;
}

/** Dismisses changes and new browsers in one browser session. Ids of changes that it is not shown have no effect. */
export async function dismissChanges(viewer: Viewer, ids: readonly bigint[]): Promise<void> {
  const { id, userId } = viewer;
  await db().$executeRaw`
    UPDATE login_event SET dismissed_in = array_append(dismissed_in, ${id}::uuid)
    WHERE id = ANY(${ids}::bigint[]) AND user_id = ${userId} AND (kind::text IN (${Prisma.join(CHANGES)}) OR kind = 'session_created' AND decode(subject, 'hex') <> ALL (
        SELECT unnest(undo_hashes) FROM browser_session WHERE id = ${id}::uuid
      ))
      AND at >= ${shownSince(viewer)}::timestamptz AND NOT ${id}::uuid = ANY(dismissed_in)`;
}

/** What happened to one session, oldest first. The caller shows them to whose session it is alone. */
export async function listAuditEntriesOfSession(
  sid: string,
  limit: number,
): Promise<Pick<AuditEntry, "id" | "at" | "kind" | "reason">[]> {
  return db().loginEvent.findMany({
    where: { sid },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true, at: true, kind: true, reason: true },
  });
}
