import { type Asker, askingSession } from "../../approval/asker.ts";
import { type BrowserSession, endingSessions, type SessionsEnd } from "../../store/browser-session.ts";
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
  // In this order: the function sees the sessions of the sign-ins that the statement has waited for.
  select: `SELECT (SELECT count(*)::int FROM ended) AS count,
      CASE WHEN $3::uuid IS NULL AND (SELECT count(*) FROM forgotten) + (SELECT count(*) FROM disowned) >= 0
        THEN end_sessions_opened_meanwhile($1::timestamptz, user_id, $5::bytea) END AS meanwhile
    FROM asking`,
});

/**
 * Ends one browser session of the user who asks, or all, with the logins in progress that would bring it back. All
 * includes those that concurrent sign-ins open.
 * @returns how many sessions ended; null when the session that asks has ended
 */
export async function endOwnSessions(
  database: Database,
  { now, sessionId, userAgent }: Asker,
  { id, browserHash, endsHere }: Pick<SessionsEnd, "id" | "browserHash" | "endsHere">,
): Promise<number | null> {
  const values = [now, sessionId, id, "revoked", browserHash, endsHere, userAgent];
  const [row] = await retryOnConflict(() => database.run<{ count: number }>(END, values));
  return row?.count ?? null;
}
