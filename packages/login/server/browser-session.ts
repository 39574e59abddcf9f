import type { Database, Statement } from "../database/database.ts";
import { call, sqlFunction } from "../database/sql-function.ts";
import { BROWSER_SESSION_TOUCH_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";

/** A browser that is signed in. The row is the session: without it a token is worth nothing. */
export type BrowserSession = {
  id: string;
  userId: number;
  /** The key or address that it was opened with. */
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

/** The live session with this id; null when it was ended, expired or never there. */
export async function findBrowserSession(database: Database, id: string, now: Date) {
  return (await database.run<BrowserSession>(FIND, [id, now]))[0] ?? null;
}

const TOUCH: Statement = {
  name: "touch-browser-session",
  text: "UPDATE browser_session SET last_seen_at = $2::timestamptz WHERE id = $1::uuid RETURNING id",
};

/** Notes that a session was seen; at most once in five minutes. */
export async function touchBrowserSession(database: Database, session: BrowserSession, now: Date) {
  if (session.lastSeenAt > addSeconds(now, -BROWSER_SESSION_TOUCH_SECONDS)) return;
  await database.run(TOUCH, [session.id, now]);
}

/** Which sessions to end (none if `userId` is null), and which browser asked. */
export type SessionsEnd = {
  now: Date;
  userId: number | null;
  /** One of the user's, or null for all. */
  id: string | null;
  reason: "signed_out" | "revoked";
  /** SHA-256 of the secret in the cookie of the browser that asks. */
  browserHash: Uint8Array | null;
  /** True when this browser's own session is among them. */
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
 * Ends browser sessions of a user, and with them the logins in progress that would sign somebody in again
 * (`sql/end-sessions.sql`). It may conflict with another request: call it in `retryOnConflict`.
 * @returns how many sessions ended
 */
export async function endBrowserSessions(
  database: Database,
  { userId, id, ...end }: SessionsEnd,
): Promise<number> {
  const ended = await call<{ endedCount: number }>(database, END_SESSIONS, {
    ...end,
    ownerId: userId,
    sessionId: id,
  });
  return ended?.endedCount ?? 0;
}
