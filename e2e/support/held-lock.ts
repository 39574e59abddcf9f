import pg from "pg";
import { waitFor } from "#tools/kit/waiting.ts";

const DEADLINE_MS = 20_000;
/** The connections that wait for this one, directly or through others. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
    UNION
    SELECT activity.pid FROM pg_stat_activity AS activity JOIN waiting
      ON waiting.pid = ANY (pg_blocking_pids(activity.pid))
  ) SELECT count(*)::int AS count FROM waiting`;

/** Controls the order of the application's statements. */
type HeldLock = {
  /** Resolves when at least `count` connections are waiting for this lock, directly or through other connections. */
  waiting(count: number): Promise<void>;
  /** In the transaction that holds the lock. */
  query(statement: string, values: unknown[]): Promise<void>;
  release(): Promise<void>;
};

/**
 * Runs a statement with `FOR UPDATE` or `LOCK TABLE`, or a statement that changes rows, and keeps the statement's locks
 * until `release`.
 */
export async function holdLock(
  databaseUrl: string,
  statement: string,
  values: unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  const { rowCount } = await client.query(statement, values);
  if (rowCount === 0) throw new Error("there is nothing to lock");
  return {
    async waiting(count) {
      let waiting = 0;
      const look = async () => {
        await client.query("SELECT pg_stat_clear_snapshot()");
        const { rows } = await client.query<{ count: number }>(WAITING);
        waiting = rows[0]?.count ?? 0;
        return waiting >= count;
      };
      if (!(await waitFor(look, DEADLINE_MS))) throw new Error(`${waiting} wait for the lock, not ${count}`);
    },
    async query(next, nextValues) {
      await client.query(next, nextValues);
    },
    async release() {
      await client.query("COMMIT");
      await client.end();
    },
  };
}
