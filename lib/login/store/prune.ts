import {
  CHALLENGE_LIFETIME_SECONDS,
  LOGIN_EVENT_KEPT_SECONDS,
  LOGIN_SESSION_KEPT_SECONDS,
} from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";
import { type Database, statement } from "./database.ts";

/** Challenges are kept past their end, so that a late response still finds its session and is told why. */
const CHALLENGE_KEPT_SECONDS = 20 * CHALLENGE_LIFETIME_SECONDS;

const PRUNE = statement({
  name: "prune-logins",
  with: `challenges AS (
    DELETE FROM challenge WHERE issued_at < $2::timestamptz RETURNING 1
  ), sessions AS (
    DELETE FROM login_session WHERE challenged_at < $3::timestamptz
      AND (authenticated_at IS NULL OR authenticated_at < $3::timestamptz)
    RETURNING 1
  ), browsers AS (
    DELETE FROM browser_session WHERE expires_at < $1::timestamptz RETURNING 1
  ), entries AS (
    DELETE FROM login_event WHERE at < $4::timestamptz RETURNING 1
  ), counters AS (
    DELETE FROM rate_limit WHERE expire < extract(epoch FROM $1::timestamptz) * 1000 RETURNING 1
  )`,
  select: `SELECT ((SELECT count(*) FROM challenges) + (SELECT count(*) FROM sessions) + (SELECT count(*) FROM browsers)
      + (SELECT count(*) FROM entries) + (SELECT count(*) FROM counters))::int AS count`,
  durable: false,
});

/**
 * Deletes what has ended: challenges, login sessions, browser sessions, audit entries older than 30 days, counters.
 * @returns rows deleted
 */
export async function prune(database: Database, now: Date): Promise<number> {
  const kept = [CHALLENGE_KEPT_SECONDS, LOGIN_SESSION_KEPT_SECONDS, LOGIN_EVENT_KEPT_SECONDS];
  const values = [now, ...kept.map((seconds) => plusSeconds(now, -seconds))];
  const [row] = await database.run<{ count: number }>(PRUNE, values);
  return row?.count ?? 0;
}
