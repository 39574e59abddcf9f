import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import type { BrowserSession, SessionsToEnd } from "../../../server/browser-session.ts";
import type { Requester } from "../../approvals/requester.ts";

const SHOWN = 100;

const LIST: Statement = {
  name: "list-browser-sessions",
  text: `SELECT id, user_id AS "userId", credential, device_info AS "deviceInfo", user_agent AS "userAgent",
      created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM browser_session WHERE user_id = $1::int AND expires_at > $2::timestamptz
    ORDER BY created_at DESC LIMIT $3::int`,
};

/** Newest first. */
export function listBrowserSessions(
  database: Database,
  userId: number,
  now: Date,
): Promise<BrowserSession[]> {
  return database.run<BrowserSession>(LIST, [userId, now, SHOWN]);
}

const END_OWN_SESSIONS = sqlFunction("end_own_sessions", [
  "askingId",
  "sessionId",
  "browserHash",
  "endsHere",
  "userAgent",
  "now",
  "deadline",
]);

/**
 * Also ends the logins in progress that would sign those browsers in again.
 * @returns the number of ended sessions, or null if the requesting session has ended
 */
export async function endOwnBrowserSessions(
  database: Database,
  { now, sessionId, userAgent }: Requester,
  { id, browserHash, endsHere }: Pick<SessionsToEnd, "id" | "browserHash" | "endsHere">,
): Promise<number | null> {
  const end = { askingId: sessionId, sessionId: id, browserHash, endsHere };
  const values = { ...end, userAgent, now, deadline: computeStatementDeadline(now) };
  const row = await retryOnConflict(() =>
    callSqlFunction<{ endedCount: number }>(database, END_OWN_SESSIONS, values),
  );
  return row?.endedCount ?? null;
}
