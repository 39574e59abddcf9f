import { type Database, retryOnConflict, startedInTime, statement } from "#lib/login/store/database.ts";

/** The statements on the ways in that a user had before a recovery. */

const COUNT = statement({
  name: "count-ways-in",
  select: `SELECT count(*)::int AS "waysIn", count(before_recovery_at)::int AS "waysBefore"
    FROM credential WHERE user_id = $1::int`,
  durable: true,
});

/** How many ways in a user has, and how many of them are from before the last recovery. */
export async function countWaysIn(
  database: Database,
  userId: number,
): Promise<{ waysIn: number; waysBefore: number }> {
  const [row] = await database.run<{ waysIn: number; waysBefore: number }>(COUNT, [userId]);
  if (!row) throw new Error("no row of count-ways-in");
  return row;
}

const REMOVE = statement({
  name: "remove-ways-before",
  with: `held AS (
    -- All of them, so that two removals at once cannot leave none.
    SELECT id, before_recovery_at FROM credential WHERE user_id = $2::int ORDER BY id FOR UPDATE
  ), removed AS (
    DELETE FROM credential USING held
    WHERE credential.id = held.id AND held.before_recovery_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM held AS kept WHERE kept.before_recovery_at IS NULL) AND ${startedInTime("$1")}
    RETURNING credential.value
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, credential, user_agent, by_session)
    SELECT $1::timestamptz, 'credential_removed', $2::int, value, $4::text, $3::uuid FROM removed
  )`,
  select: "SELECT count(*)::int AS count FROM removed",
  durable: true,
});

// A statement of its own: it sees the sessions that were opened until the keys were gone.
const END_ORPHANS = statement({
  name: "end-sessions-without-way-in",
  with: `ended AS (
    DELETE FROM browser_session WHERE user_id = $1::int
      AND NOT EXISTS (SELECT 1 FROM credential WHERE user_id = $1::int AND value = browser_session.credential)
  ), forgotten AS (
    DELETE FROM login_session WHERE user_id = $1::int AND redeemed_at IS NULL AND flow <> 'hosted'
      AND status = 'authenticated' AND recovers IS NULL
      AND NOT EXISTS (SELECT 1 FROM credential WHERE user_id = $1::int AND value = login_session.credential)
  )`,
  select: "SELECT 1 AS done",
  durable: true,
});

/**
 * Removes the ways in that a user had before the last recovery, and ends the browser sessions that they opened.
 * Asked for again, it ends what an interruption has left.
 */
export async function removeWaysBefore(
  database: Database,
  input: { now: Date; userId: number; sessionId: string; userAgent: string | null },
): Promise<void> {
  const { now, userId, sessionId, userAgent } = input;
  await retryOnConflict(() => database.run(REMOVE, [now, userId, sessionId, userAgent]));
  await database.run(END_ORPHANS, [userId]);
}
