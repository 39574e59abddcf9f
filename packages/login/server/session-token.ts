import { decode, encode, type JWTDecodeParams } from "next-auth/jwt";
import { BROWSER_SESSION_SECONDS } from "../protocol/numbers.ts";
import { type BrowserSession, findBrowserSession, touchBrowserSession } from "./browser-session.ts";
import {
  hostCookie,
  ownCookieName,
  partNames,
  readCookie,
  readOwnCookie,
  setCookieHeader,
} from "./cookies.ts";
import type { LoginCore } from "./core.ts";
import type { SentHeaders } from "./web-request.ts";

/** The token's payload; the row that `browserSessionId` names decides whether the token is valid. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The claims in a decoded token; null for a token that the login did not make. */
export function readClaims(token: Record<string, unknown> | null | undefined): TokenClaims | null {
  const { browserSessionId, userId } = token ?? {};
  if (typeof browserSessionId !== "string" || typeof userId !== "number") return null;
  return { browserSessionId, userId };
}

const SESSION = "next-auth.session-token";

/** The name of the cookie that holds NextAuth's token. */
export function sessionCookieName({ origin }: LoginCore): string {
  return ownCookieName(SESSION, origin);
}

/** How our tokens begin: `{"alg":"dir","enc":"A256GCM"}`. To decrypt by another algorithm could take long. */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

/** Decrypts a token made under any of the secrets: there are several while the secret is rotated. */
export function tokenDecoder({ secrets }: LoginCore) {
  return async ({ token, salt }: JWTDecodeParams) => {
    if (!token?.startsWith(`${TOKEN_HEADER}.`)) throw new Error("This is none of our tokens.");
    return Promise.any(secrets.map((secret) => decode({ token, salt, secret })));
  };
}

/** The claims of the token in a `Cookie` header. Decrypting it proves that we made it; its row may be gone. */
export async function currentClaims(core: LoginCore, cookies: string | null): Promise<TokenClaims | null> {
  return readToken(core, readOwnCookie(cookies, SESSION, core.origin));
}

async function readToken(core: LoginCore, token: string | null): Promise<TokenClaims | null> {
  if (token === null) return null;
  return tokenDecoder(core)({ token, secret: core.secrets[0] }).then(readClaims, () => null);
}

/**
 * The signed-in browser that makes a request, or null. Every restricted page and handler asks here: the token
 * is decrypted, and its row must still exist.
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

/** The `Set-Cookie` header that signs a browser in: NextAuth's cookie, with a token that NextAuth makes. */
export async function signedInCookie(core: LoginCore, claims: TokenClaims): Promise<string> {
  const [secret] = core.secrets;
  const token = await encode({ token: { ...claims }, secret, maxAge: BROWSER_SESSION_SECONDS });
  return setCookieHeader(hostCookie(SESSION, core.origin), token, BROWSER_SESSION_SECONDS);
}

/**
 * The `Set-Cookie` headers that remove what would outlive or disturb the session's cookie, once an answer sets or
 * removes that: the parts of a longer token, which NextAuth would join with ours, and our own token under the name that
 * it had before. Another site's token under that name stays: it is another port of the same host.
 */
export async function staleSessionCookies(core: LoginCore, cookies: string | null): Promise<string[]> {
  const name = sessionCookieName(core);
  const stale = partNames(cookies, name);
  if (name !== SESSION && (await readToken(core, readCookie(cookies, SESSION)))) stale.push(SESSION);
  return stale.map((each) => setCookieHeader({ ...hostCookie(SESSION, core.origin), name: each }, "", 0));
}
