import { db, type Queries } from "#lib/platform/database/db.ts";
import { prismaDatabase, statementDeadline } from "#packages/login/database/database.ts";
import { isDeadlock } from "#packages/login/database/database-error.ts";
import { DATABASE_WAIT_MS } from "#packages/login/database/database-wait.ts";
import { call, sqlFunction } from "#packages/login/database/sql-function.ts";
import { notSignedIn, type Requester } from "#packages/login/plugins/approvals/requester.ts";

const LOCK_ASKING_SESSION = sqlFunction("asking_session", ["sessionId", "needsApproval", "now", "deadline"]);

/**
 * Changes an account in one transaction, which first locks the requesting browser session. A request that ends that
 * session waits for the change. If that request came first, nothing is changed. `act` also records the change.
 * @param options.needsApproval false for a change that does not need a fresh approval
 * @throws {Refusal} 401 if the session or its approval has ended since it was checked
 */
export async function withLockedSession<Value>(
  asker: Requester,
  { needsApproval }: { needsApproval: boolean },
  act: (queries: Queries) => Promise<Value>,
): Promise<Value> {
  const { now, sessionId, userId } = asker;
  const change = () =>
    db().$transaction(
      async (queries) => {
        // Lock the user first, so that changes to the same account are made one at a time.
        await queries.$queryRaw`SELECT 1 FROM user_account WHERE id = ${userId} FOR NO KEY UPDATE`;
        const values = { sessionId, needsApproval, now, deadline: statementDeadline(now) };
        if (!(await call(prismaDatabase(queries), LOCK_ASKING_SESSION, values))) throw notSignedIn();
        return act(queries);
      },
      { timeout: DATABASE_WAIT_MS },
    );
  return change().catch((error: unknown) => {
    if (!isDeadlock(error)) throw error;
    return change();
  });
}
