import { db, type PrismaQueries } from "#lib/platform/database/db.ts";
import { computeStatementDeadline, prismaDatabase } from "#packages/login/database/database.ts";
import { isDeadlock } from "#packages/login/database/database-error.ts";
import { DATABASE_WAIT_MS } from "#packages/login/database/database-wait.ts";
import { callSqlFunction, sqlFunction } from "#packages/login/database/sql-function.ts";
import { notSignedInRefusal, type Requester } from "#packages/login/plugins/approvals/requester.ts";

const LOCK_ASKING_SESSION = sqlFunction("asking_session", ["sessionId", "needsApproval", "now", "deadline"]);

/**
 * Changes an account in a transaction that first locks the requesting browser session. A concurrent request to end that
 * session waits for the change; if that request came first, the change fails. `act` must also record the change.
 * @param options.needsApproval false if the change needs no fresh approval
 * @throws {Refusal} 401 if the session or its approval has ended since it was checked
 */
export async function withLockedSession<Value>(
  asker: Requester,
  { needsApproval }: { needsApproval: boolean },
  act: (queries: PrismaQueries) => Promise<Value>,
): Promise<Value> {
  const { now, sessionId, userId } = asker;
  const change = () =>
    db().$transaction(
      async (queries) => {
        // Locks the user first, so that changes to the same account run one after another.
        await queries.$queryRaw`SELECT 1 FROM user_account WHERE id = ${userId} FOR NO KEY UPDATE`;
        const values = { sessionId, needsApproval, now, deadline: computeStatementDeadline(now) };
        if (!(await callSqlFunction(prismaDatabase(queries), LOCK_ASKING_SESSION, values)))
          throw notSignedInRefusal();
        return act(queries);
      },
      { timeout: DATABASE_WAIT_MS },
    );
  return change().catch((error: unknown) => {
    if (!isDeadlock(error)) throw error;
    return change();
  });
}
