import type { Database } from "../database/database.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import {
  addSeconds,
  CHALLENGE_LIFETIME_SECONDS,
  KNOWN_BROWSER_SECONDS,
  LOGIN_EVENT_RETENTION_SECONDS,
  LOGIN_SESSION_RETENTION_SECONDS,
} from "../protocol/numbers.ts";

/**
 * Challenges are stored for longer than they are valid, so that a late response still finds its session and is refused
 * with the right reason.
 */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

/** Each statement must end within its time limit. */
const BATCH_ROWS = 10_000;

const PRUNED = [
  { name: "prune_challenges", keptSeconds: CHALLENGE_KEPT_SECONDS },
  { name: "prune_login_sessions", keptSeconds: LOGIN_SESSION_RETENTION_SECONDS },
  { name: "prune_browser_sessions", keptSeconds: 0 },
  { name: "prune_audit_entries", keptSeconds: LOGIN_EVENT_RETENTION_SECONDS },
  { name: "prune_known_browsers", keptSeconds: KNOWN_BROWSER_SECONDS },
  { name: "prune_counters", keptSeconds: 0 },
].map(({ name, keptSeconds }) => ({
  keptSeconds,
  pruneBatch: sqlFunction(name, ["endedBefore", "maxRows"]),
}));

/**
 * Audit entries are kept for 30 days, and known browsers until they have not been seen for a year. If pruning one table
 * fails, the others are still pruned.
 * @throws the first error, after all tables have been tried
 */
export async function pruneExpiredRows(database: Database, now: Date): Promise<number> {
  let deleted = 0;
  const errors: unknown[] = [];
  for (const { keptSeconds, pruneBatch } of PRUNED) {
    const batch = { endedBefore: addSeconds(now, -keptSeconds), maxRows: BATCH_ROWS };
    try {
      for (let count = BATCH_ROWS; count === BATCH_ROWS; deleted += count) {
        count =
          (await callSqlFunction<{ deletedCount: number }>(database, pruneBatch, batch))?.deletedCount ?? 0;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return deleted;
}
