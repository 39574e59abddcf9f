import {
  CHALLENGE_LIFETIME_SECONDS,
  KNOWN_BROWSER_SECONDS,
  LOGIN_EVENT_KEPT_SECONDS,
  LOGIN_SESSION_KEPT_SECONDS,
} from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, type Statement, statement } from "./database.ts";

/** Challenges are kept past their end, so that a late response still finds its session and hears why it failed. */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

/** How many rows of a table one statement deletes at most, so that it ends within its time limit. */
const BATCH_ROWS = 10_000;

/** Deletes a batch of a table's rows that have ended before `$1`. */
const deleting = (table: string, ended: string): Statement =>
  statement({
    name: `prune-${table.replace("_", "-")}`,
    with: `deleted AS (
    DELETE FROM ${table}
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${ended} LIMIT ${BATCH_ROWS})) AND ${ended}
    RETURNING 1
  )`,
    select: "SELECT count(*)::int AS count FROM deleted",
    durable: false,
  });

const PRUNED: { keptSeconds: number; statement: Statement }[] = [
  { keptSeconds: CHALLENGE_KEPT_SECONDS, statement: deleting("challenge", "issued_at < $1::timestamptz") },
  {
    keptSeconds: LOGIN_SESSION_KEPT_SECONDS,
    statement: deleting(
      "login_session",
      "challenged_at < $1::timestamptz AND (authenticated_at < $1::timestamptz) IS NOT FALSE",
    ),
  },
  { keptSeconds: 0, statement: deleting("browser_session", "expires_at < $1::timestamptz") },
  { keptSeconds: LOGIN_EVENT_KEPT_SECONDS, statement: deleting("login_event", "at < $1::timestamptz") },
  {
    keptSeconds: KNOWN_BROWSER_SECONDS,
    statement: deleting("known_browser", "last_seen_at < $1::timestamptz"),
  },
  {
    keptSeconds: 0,
    statement: deleting("rate_limit", "expire < extract(epoch FROM $1::timestamptz) * 1000"),
  },
];

/**
 * Deletes what has ended: challenges, login sessions, browser sessions, audit entries older than 30 days, browsers
 * that were not seen for a year, counters. Each table is pruned, whatever became of the others.
 * @returns rows deleted
 * @throws the error of the first table that could not be pruned, after the others were
 */
export async function prune(database: Database, now: Date): Promise<number> {
  let deleted = 0;
  const errors: unknown[] = [];
  for (const { keptSeconds, statement } of PRUNED) {
    const until = addSeconds(now, -keptSeconds);
    try {
      for (let count = BATCH_ROWS; count === BATCH_ROWS; deleted += count) {
        const [row] = await database.run<{ count: number }>(statement, [until]);
        count = row?.count ?? 0;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return deleted;
}
