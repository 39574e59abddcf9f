import { type Database, statement } from "#lib/login/store/database.ts";
import type { ApprovalWay } from "../details.ts";

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
