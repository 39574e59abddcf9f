import {
  CHALLENGE_LIFETIME_SECONDS,
  KNOWN_BROWSER_SECONDS,
  LOGIN_EVENT_KEPT_SECONDS,
  LOGIN_SESSION_KEPT_SECONDS,
} from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, statement } from "./database.ts";

/** Challenges are kept past their end, so that a late response still finds its session and hears why it failed. */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

/** How many rows of a table one statement deletes at most, so that it ends within its time limit. */
const BATCH_ROWS = 10_000;

const deleting = (table: string, ended: string) => `(
    DELETE FROM ${table}
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${ended} LIMIT ${BATCH_ROWS})) AND ${ended}
    RETURNING 1
  )`;

const PRUNE = statement({
  name: "prune-logins",
  with: `challenges AS ${deleting("challenge", "issued_at < $2::timestamptz")},
    sessions AS ${deleting("login_session", "challenged_at < $3::timestamptz AND (authenticated_at < $3::timestamptz) IS NOT FALSE")},
    browsers AS ${deleting("browser_session", "expires_at < $1::timestamptz")},
    entries AS ${deleting("login_event", "at < $4::timestamptz")},
    known AS ${deleting("known_browser", "last_seen_at < $5::timestamptz")},
    counters AS ${deleting("rate_limit", "expire < extract(epoch FROM $1::timestamptz) * 1000")}`,
  select: `SELECT ((SELECT count(*) FROM challenges) + (SELECT count(*) FROM sessions) + (SELECT count(*) FROM browsers)
      + (SELECT count(*) FROM entries) + (SELECT count(*) FROM known) + (SELECT count(*) FROM counters))::int AS count`,
  durable: false,
});

/**
 * Deletes what has ended: challenges, login sessions, browser sessions, audit entries older than 30 days, browsers
 * that were not seen for a year, counters.
 * @returns rows deleted
 */
export async function prune(database: Database, now: Date): Promise<number> {
  const kept = [
    ...[CHALLENGE_KEPT_SECONDS, LOGIN_SESSION_KEPT_SECONDS],
    ...[LOGIN_EVENT_KEPT_SECONDS, KNOWN_BROWSER_SECONDS],
  ];
  const values = [now, ...kept.map((seconds) => addSeconds(now, -seconds))];
  const [row] = await database.run<{ count: number }>(PRUNE, values);
  const count = row?.count ?? 0;
  return count < BATCH_ROWS ? count : count + (await prune(database, now));
}
