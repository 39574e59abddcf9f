import { db, type PrismaQueries } from "#lib/platform/database/db.ts";
import type { AuditEntry, ChangeKind } from "#packages/login/plugins/account/store/history.ts";
import type { Requester } from "#packages/login/plugins/approvals/requester.ts";

/** Must use the transaction that makes the change. */
export async function recordChange(
  queries: PrismaQueries,
  { now, userId, userAgent, sessionId }: Requester,
  kind: ChangeKind,
  subject: string | null,
): Promise<void> {
  await queries.$executeRaw`
    INSERT INTO login_event (at, kind, user_id, subject, user_agent, by_session)
    VALUES (${now}::timestamptz, ${kind}::login_event_kind, ${userId}, ${subject}, ${userAgent},
      (SELECT COALESCE(lineage, id) FROM browser_session WHERE id = ${sessionId}::uuid))`;
}

/** Oldest first. The caller must check that the session belongs to the reader. */
export async function listSessionAuditEntries(
  sid: string,
  limit: number,
): Promise<Pick<AuditEntry, "id" | "at" | "kind" | "reason">[]> {
  const entries = await db().loginEvent.findMany({
    where: { sid },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true, at: true, kind: true, reason: true },
  });
  return entries.map((entry) => ({ ...entry, id: String(entry.id) }));
}
