import "server-only";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { db } from "#lib/platform/database/db.ts";

/** The changes to an account that the user's other browsers are shown. */
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

/** Logs a change of the account that has been made, with the browser that made it. */
export async function logChange(input: {
  now: Date;
  kind: ChangeKind;
  subject: string | null;
  session: BrowserSession;
}): Promise<void> {
  const { now, kind, subject, session } = input;
  const { id, userId, userAgent } = session;
  const deviceInfo = session.deviceInfo === null ? null : JSON.stringify(session.deviceInfo);
  await db().$executeRaw`
    INSERT INTO login_event (at, kind, user_id, subject, by_session, user_agent, device_info)
    VALUES (${now}::timestamptz, ${kind}::login_event_kind, ${userId}, ${subject}, ${id}::uuid, ${userAgent},
      ${deviceInfo}::jsonb)`;
}

/**
 * The changes that the user's other browsers made and this one has not dismissed, newest first. A change from before
 * this browser signed in is shown too, until it is dismissed in any browser: this may be the first one that the user
 * looks at since.
 */
export async function listChangesElsewhere(
  session: Pick<BrowserSession, "id" | "userId" | "createdAt">,
  limit: number,
): Promise<AuditEntry[]> {
  const { id, userId, createdAt } = session;
  return db().loginEvent.findMany({
    where: {
      userId,
      kind: { in: [...CHANGES] },
      bySession: { not: id },
      NOT: { dismissedIn: { has: id } },
      OR: [{ at: { gte: createdAt } }, { dismissedIn: { isEmpty: true } }],
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
    select: FIELDS,
  });
}

/** Dismisses these changes in this browser. Unknown ids, and those of another user's changes, have no effect. */
export async function dismissChanges(
  { id, userId }: Pick<BrowserSession, "id" | "userId">,
  ids: readonly bigint[],
): Promise<void> {
  await db().$executeRaw`
    UPDATE login_event SET dismissed_in = array_append(dismissed_in, ${id}::uuid)
    WHERE id = ANY(${ids}::bigint[]) AND user_id = ${userId} AND by_session IS NOT NULL
      AND NOT ${id}::uuid = ANY(dismissed_in)`;
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
