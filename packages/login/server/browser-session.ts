import type { Database, Statement } from "../database/database.ts";
import { call, sqlFunction } from "../database/sql-function.ts";
import { BROWSER_SESSION_TOUCH_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";

/** A browser that is signed in. A token is valid only as long as this row exists. */
export type BrowserSession = {
  id: string;
  userId: number;
  /** The key or Bitcoin address that opened the session. */
  credential: string;
  deviceInfo: unknown;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
};

const FIND: Statement = {
  name: "find-browser-session",
  text: `SELECT id, user_id AS "userId", credential, device_info AS "deviceInfo", user_agent AS "userAgent",
      created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"
    FROM browser_session WHERE id = $1::uuid AND expires_at > $2::timestamptz`,
};

/** The session with this id. Null if it has ended or expired, or never existed. */
export async function findBrowserSession(database: Database, id: string, now: Date) {
  return (await database.run<BrowserSession>(FIND, [id, now]))[0] ?? null;
}

const TOUCH: Statement = {
  name: "touch-browser-session",
  text: "UPDATE browser_session SET last_seen_at = $2::timestamptz WHERE id = $1::uuid RETURNING id",
};

/** Updates the time at which a session was last seen, at most once in five minutes. */
export async function touchBrowserSession(database: Database, session: BrowserSession, now: Date) {
  if (session.lastSeenAt > addSeconds(now, -BROWSER_SESSION_TOUCH_SECONDS)) return;
  await database.run(TOUCH, [session.id, now]);
}

/** The sessions to end (none if `userId` is null), and the browser that requested it. */
export type SessionsEnd = {
  now: Date;
  userId: number | null;
  /** The id of one of the user's sessions, or null for all of them. */
  id: string | null;
  reason: "signed_out" | "revoked";
  /** SHA-256 of the secret in the cookie of the requesting browser. */
  browserHash: Uint8Array | null;
  /** True if the requesting browser's own session ends too. */
  endsHere: boolean;
};

const END_SESSIONS = sqlFunction("end_sessions", [
  "ownerId",
  "sessionId",
  "reason",
  "browserHash",
  "endsHere",
  "now",
]);

/**
 * Ends browser sessions of a user, and the logins in progress that could sign a browser in again
 * (`sql/end-sessions.sql`). Call it in `retryOnConflict`, because it may conflict with another request.
 * @returns how many sessions ended
 */
export async function endBrowserSessions(
  database: Database,
  { userId, id, ...end }: SessionsEnd,
): Promise<number> {
  const result = await call<{ endedCount: number }>(database, END_SESSIONS, {
    ...end,
    ownerId: userId,
    sessionId: id,
  });
  return result?.endedCount ?? 0;
}
