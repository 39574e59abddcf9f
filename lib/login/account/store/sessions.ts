import { type Asker, askingSession } from "../../approval/asker.ts";
import {
  type BrowserSession,
  endBrowserSessions,
  endingSessions,
  type SessionsEnd,
} from "../../store/browser-session.ts";
import { type Database, retryOnConflict, statement } from "../../store/database.ts";

const SHOWN = 100;

const LIST = statement({
  name: "list-browser-sessions",
  select: `SELECT id, user_id AS "userId", credential, device_info AS "deviceInfo", user_agent AS "userAgent",
      created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM browser_session WHERE user_id = $1::int AND expires_at > $2::timestamptz
    ORDER BY created_at DESC LIMIT ${SHOWN}`,
});

/** A user's live browser sessions, newest first. */
export function listBrowserSessions(
  database: Database,
  userId: number,
  now: Date,
): Promise<BrowserSession[]> {
  return database.run<BrowserSession>(LIST, [userId, now]);
}

const END = statement({
  name: "end-own-browser-sessions",
  with: `${askingSession("$1", "$2", false)}, ${endingSessions("(SELECT user_id FROM asking)")}, recorded AS (
    INSERT INTO login_event (at, kind, user_id, user_agent)
    SELECT $1::timestamptz, 'signed_out_everywhere', user_id, $7::text FROM asking WHERE $3::uuid IS NULL
  )`,
  select: "SELECT (SELECT count(*)::int FROM ended) AS count FROM asking",
});

/**
 * Ends one browser session of the user who asks, or all, with the logins in progress that would bring it back.
 * @returns how many sessions ended; null when the session that asks has ended
 */
export async function endOwnSessions(
  database: Database,
  { now, sessionId, userId, userAgent }: Asker,
  { id, browserHash, endsHere }: Pick<SessionsEnd, "id" | "browserHash" | "endsHere">,
): Promise<number | null> {
  const values = [now, sessionId, id, "revoked", browserHash, endsHere, userAgent];
  const [row] = await retryOnConflict(() => database.run<{ count: number }>(END, values));
  if (!row) return null;
  // Also ends sessions that were just being opened with an answer of this user's.
  const end = { now, userId, id, reason: "revoked", browserHash, endsHere } as const;
  if (id === null) await retryOnConflict(() => endBrowserSessions(database, end));
  return row.count;
}
