import { BROWSER_SESSION_SECONDS } from "../protocol/numbers.ts";
import { type BrowserSession, findBrowserSession, touchBrowserSession } from "./browser-session.ts";
import { hostCookie, partNames, readCookie, readLoginCookie, setCookieHeader } from "./cookies.ts";
import type { LoginCore, TokenClaims } from "./core.ts";
import type { SentHeaders } from "./web-request.ts";

/** The claims in a decoded token. Null for a token that the login did not create. */
export function readClaims(token: Record<string, unknown> | null | undefined): TokenClaims | null {
  const { browserSessionId, userId } = token ?? {};
  if (typeof browserSessionId !== "string" || typeof userId !== "number") return null;
  return { browserSessionId, userId };
}

/**
 * The claims of the token in a `Cookie` header. Decrypting it proves that we created it, but its row may no longer
 * exist.
 */
export async function currentClaims(core: LoginCore, cookies: string | null): Promise<TokenClaims | null> {
  return core.tokens && readToken(core, readLoginCookie(cookies, core.tokens.cookie, core.origin));
}

async function readToken(core: LoginCore, token: string | null): Promise<TokenClaims | null> {
  if (token === null || core.tokens === null) return null;
  return core.tokens.decode(token, core.secrets).then(readClaims, () => null);
}

/**
 * The signed-in browser that makes a request, or null. Every restricted page and handler calls this. It decrypts the
 * token and checks that its row still exists.
 */
export async function currentSession(core: LoginCore, headers: SentHeaders): Promise<BrowserSession | null> {
  const claims = await currentClaims(core, headers.get("cookie"));
  if (!claims) return null;
  const now = core.now();
  const session = await findBrowserSession(core.database, claims.browserSessionId, now);
  if (session?.userId !== claims.userId) return null;
  await touchBrowserSession(core.database, session, now);
  return session;
}

/** The `Set-Cookie` header that signs a browser in. */
export async function signedInCookie(
  { tokens, secrets, origin }: LoginCore,
  claims: TokenClaims,
): Promise<string> {
  if (tokens === null)
    throw new Error("No plugin of this login has sessions: add nextAuth() or ownSession().");
  const token = await tokens.encode(claims, secrets[0]);
  return setCookieHeader(hostCookie(tokens.cookie, origin), token, BROWSER_SESSION_SECONDS);
}

/**
 * The `Set-Cookie` headers that an answer needs when it sets or removes the session cookie. They remove the parts of
 * a longer token, which NextAuth would join with ours, and our own token under its previous name. They do not remove
 * a token of a site on another port of the same host.
 */
export async function staleSessionCookies(core: LoginCore, cookies: string | null): Promise<string[]> {
  const { tokens, origin } = core;
  if (tokens === null) return [];
  const current = hostCookie(tokens.cookie, origin);
  const staleNames = partNames(cookies, current.name);
  if (current.name !== tokens.cookie && (await readToken(core, readCookie(cookies, tokens.cookie)))) {
    staleNames.push(tokens.cookie);
  }
  return staleNames.map((name) => setCookieHeader({ ...current, name }, "", 0));
}
