import type { Asker } from "../../approval/asker.ts";
import { askingSession } from "../../approval/store/asking-session.ts";
import { endSessionsOfRemovedKeys } from "../../store/added-key.ts";
import { type Database, retryOnConflict, statement } from "../../store/database.ts";

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
  with: `${askingSession("$1", "$2")}, held AS (
    -- All of them, so that two removals at once cannot leave none.
    SELECT id, before_recovery_at FROM credential WHERE user_id = (SELECT user_id FROM asking)
    ORDER BY id FOR UPDATE
  ), removed AS (
    DELETE FROM credential USING held
    WHERE credential.id = held.id AND held.before_recovery_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM held AS kept WHERE kept.before_recovery_at IS NULL)
    RETURNING credential.user_id, credential.value
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, credential, user_agent)
    SELECT $1::timestamptz, 'credential_removed', user_id, value, $3::text FROM removed
  )`,
  select: "SELECT 1 FROM asking",
  durable: true,
});

/**
 * Removes the ways in that a user had before the last recovery, and ends the browser sessions that they opened.
 * Asked for again, it ends what an interruption has left.
 * @returns false when the session that asks has ended, and nothing has changed
 */
export async function removeWaysBefore(
  database: Database,
  { now, sessionId, userId, userAgent }: Asker,
): Promise<boolean> {
  const asked = await retryOnConflict(() => database.run(REMOVE, [now, sessionId, userAgent]));
  if (asked.length === 0) return false;
  await endSessionsOfRemovedKeys(database, userId, null);
  return true;
}
