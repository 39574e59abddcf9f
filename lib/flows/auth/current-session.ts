import "server-only";
import { getToken } from "next-auth/jwt";
import { cookies, headers } from "next/headers";
import { now } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { type BrowserSessionRow, findBrowserSession, touchBrowserSession } from "#lib/store/browser-session.ts";
import { readClaims } from "./auth-options.ts";

/**
 * The signed-in browser that makes this request, or null. Every restricted page and handler asks here: the
 * token's signature is checked, and that its row is still there.
 */
export async function currentSession(): Promise<BrowserSessionRow | null> {
  const jar = await cookies();
  const request = {
    headers: Object.fromEntries(await headers()),
    cookies: Object.fromEntries(jar.getAll().map(({ name, value }) => [name, value])),
  };
  // biome-ignore lint/suspicious/noExplicitAny: getToken reads nothing else of a request, but asks for all of it
  const token = await getToken({ req: request as any, secret: env().NEXTAUTH_SECRET, secureCookie: env().SECURE });
  const claims = readClaims(token);
  if (!claims) return null;
  const at = now();
  const session = await findBrowserSession(claims.browserSessionId, at);
  if (session?.userId !== claims.userId) return null;
  await touchBrowserSession(session, at);
  return session;
}
