import type { ApprovalWay } from "../../client/request-change.ts";
import { approvedSince } from "../../store/browser-session.ts";
import { type Database, startedInTime, statement } from "../../store/database.ts";

/**
 * The common table expression `asking` (`id`, `user_id`): the browser session in whose name a change is asked for.
 * Empty once the session has ended, or its approval is too old. The row stays locked until the change is made, so
 * whoever ends the session either waits for the change or was first, and then nothing is changed.
 * @param now the placeholder of the request's time
 * @param sessionId the placeholder of the session's id
 * @param needsApproval false for what the session alone may do; an SQL expression where the statement decides
 */
export function askingSession(
  now: string,
  sessionId: string,
  needsApproval: boolean | string = true,
): string {
  return `asking AS (
    SELECT id, user_id FROM browser_session
    WHERE id = ${sessionId}::uuid AND expires_at > ${now}::timestamptz AND ${startedInTime(now)}
      AND (NOT ${needsApproval} OR ${approvedSince("browser_session", now)})
    FOR KEY SHARE
  )`;
}

const FIND_WAYS = statement({
  name: "approval-ways",
  select: `SELECT kind FROM credential WHERE user_id = $1::int
    GROUP BY kind ORDER BY bool_or(value = $2::text) DESC, min(created_at)`,
  durable: true,
});

/** What a user can approve with: first what signed this browser in. */
export async function findApprovalWays(
  database: Database,
  { userId, credential }: { userId: number; credential: string },
): Promise<ApprovalWay[]> {
  const rows = await database.run<{ kind: ApprovalWay }>(FIND_WAYS, [userId, credential]);
  return rows.map(({ kind }) => kind);
}
