import "server-only";
import { headers } from "next/headers";
import { NextRequest } from "next/server";
import { getToken } from "next-auth/jwt";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import {
  type BrowserSessionRow,
  findBrowserSession,
  touchBrowserSession,
} from "#lib/store/browser-session.ts";
import { decodeToken, readClaims, sessionCookie, type TokenClaims } from "./session-cookie.ts";

/**
 * The signed-in browser that makes this request, or null. Every restricted page and handler asks here: the
 * token's signature is checked, and that its row is still there.
 * @param sent the request's headers, in a handler that the server may call in front of the framework's router; the
 *   framework knows them elsewhere
 */
export async function currentSession(sent?: Headers): Promise<BrowserSessionRow | null> {
  const claims = await presentClaims(sent);
  if (!claims) return null;
  const at = now();
  const session = await findBrowserSession(claims.browserSessionId, at);
  if (session?.userId !== claims.userId) return null;
  await touchBrowserSession(session, at);
  return session;
}

/**
 * What the request's token claims, its signature checked but not that its row is still there.
 * @param sent as for `currentSession`
 */
export async function presentClaims(sent?: Headers): Promise<TokenClaims | null> {
  const request = new NextRequest(env().APP_URL, { headers: sent ?? (await headers()) });
  const token = await getToken({
    req: request,
    secret: env().NEXTAUTH_SECRET,
    cookieName: sessionCookie().name,
    decode: decodeToken,
  });
  return readClaims(token);
}

/**
 * The signed-in browser that makes this request.
 * @param sent as for `currentSession`
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function requireSession(sent?: Headers): Promise<BrowserSessionRow> {
  const session = await currentSession(sent);
  if (!session) throw new ApiError("not_signed_in", "Sign in first.");
  return session;
}
