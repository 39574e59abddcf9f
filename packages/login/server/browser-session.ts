import type { Database, Statement } from "../database/database.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import { addSeconds, BROWSER_SESSION_SECONDS, BROWSER_SESSION_TOUCH_SECONDS } from "../protocol/numbers.ts";
import {
  formatSetCookieHeader,
  listCookieChunkNames,
  readCookie,
  readLoginCookie,
  toNextAuthCookie,
} from "./cookies.ts";
import type { LoginCore, TokenClaims } from "./core.ts";
import type { RequestHeaders } from "./web-request.ts";

/** The token is valid only while the session's row exists. */
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

export async function findBrowserSession(database: Database, id: string, now: Date) {
  return (await database.run<BrowserSession>(FIND, [id, now]))[0] ?? null;
}

const TOUCH: Statement = {
  name: "touch-browser-session",
  text: "UPDATE browser_session SET last_seen_at = $2::timestamptz WHERE id = $1::uuid RETURNING id",
};

/** At most once every five minutes. */
export async function touchBrowserSession(database: Database, session: BrowserSession, now: Date) {
  if (session.lastSeenAt > addSeconds(now, -BROWSER_SESSION_TOUCH_SECONDS)) return;
  await database.run(TOUCH, [session.id, now]);
}

/** If `userId` is null, no sessions end. */
export type SessionsToEnd = {
  now: Date;
  userId: number | null;
  /** Null for all sessions. */
  id: string | null;
  reason: "signed_out" | "revoked";
  /** SHA-256 of the secret in the requesting browser's cookie. */
  browserHash: Uint8Array | null;
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
 * Also ends the logins in progress that could sign these browsers in again (`sql/end-sessions.sql`). Call this function
 * within `retryOnConflict`, because its statement can conflict with other requests.
 */
export async function endBrowserSessions(
  database: Database,
  { userId, id, ...end }: SessionsToEnd,
): Promise<number> {
  const result = await callSqlFunction<{ endedCount: number }>(database, END_SESSIONS, {
    ...end,
    ownerId: userId,
    sessionId: id,
  });
  return result?.endedCount ?? 0;
}

export function parseTokenClaims(token: Record<string, unknown> | null | undefined): TokenClaims | null {
  const { browserSessionId, userId } = token ?? {};
  if (typeof browserSessionId !== "string" || typeof userId !== "number") return null;
  return { browserSessionId, userId };
}

/** A token that can be decoded was created by this site, but the row of the token's session might no longer exist. */
export async function readTokenClaims(core: LoginCore, cookies: string | null): Promise<TokenClaims | null> {
  return core.tokens && readToken(core, readLoginCookie(cookies, core.tokens.cookie, core.origin));
}

async function readToken(core: LoginCore, token: string | null): Promise<TokenClaims | null> {
  if (token === null || core.tokens === null) return null;
  return core.tokens.decode(token, core.secrets).then(parseTokenClaims, () => null);
}

/**
 * Every restricted page and handler calls this function, which decodes the token and checks that the session's row
 * still exists.
 */
export async function currentSession(
  core: LoginCore,
  headers: RequestHeaders,
): Promise<BrowserSession | null> {
  const claims = await readTokenClaims(core, headers.get("cookie"));
  if (!claims) return null;
  const now = core.now();
  const session = await findBrowserSession(core.database, claims.browserSessionId, now);
  if (session?.userId !== claims.userId) return null;
  await touchBrowserSession(core.database, session, now);
  return session;
}

export async function createSessionCookie(
  { tokens, secrets, origin }: LoginCore,
  claims: TokenClaims,
): Promise<string> {
  if (tokens === null)
    throw new Error("No plugin of this login has sessions: add nextAuth() or ownSession().");
  const token = await tokens.encode(claims, secrets[0]);
  return formatSetCookieHeader(toNextAuthCookie(tokens.cookie, origin), token, BROWSER_SESSION_SECONDS);
}

/**
 * These headers must accompany setting or removing the session cookie. They remove the numbered parts of a longer
 * token, which NextAuth would join with the new token. They also remove this site's token under the cookie name of
 * older versions, but not the token of a site on a different port of the same host.
 */
export async function createStaleCookieHeaders(core: LoginCore, cookies: string | null): Promise<string[]> {
  const { tokens, origin } = core;
  if (tokens === null) return [];
  const current = toNextAuthCookie(tokens.cookie, origin);
  const staleNames = listCookieChunkNames(cookies, current.name);
  if (current.name !== tokens.cookie && (await readToken(core, readCookie(cookies, tokens.cookie)))) {
    staleNames.push(tokens.cookie);
  }
  return staleNames.map((name) => formatSetCookieHeader({ ...current, name }, "", 0));
}
