import { decode, type JWTDecodeParams } from "next-auth/jwt";
import { type BrowserSession, findBrowserSession, touchBrowserSession } from "../store/browser-session.ts";
import { hostCookie, readCookie } from "./cookies.ts";
import { isSecure, type LoginCore } from "./core.ts";
import type { SentHeaders } from "./sent-headers.ts";

/** What the token holds; the row that `browserSessionId` names decides whether it is worth anything. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The claims in a decoded token; null when it is none of ours. */
export function readClaims(token: Record<string, unknown> | null | undefined): TokenClaims | null {
  const { browserSessionId, userId } = token ?? {};
  if (typeof browserSessionId !== "string" || typeof userId !== "number") return null;
  return { browserSessionId, userId };
}

/** The name of the cookie that holds NextAuth's token. */
export function sessionCookieName(core: LoginCore): string {
  return hostCookie("next-auth.session-token", isSecure(core)).name;
}

/** How our tokens begin: `{"alg":"dir","enc":"A256GCM"}`. Another algorithm could be one that takes long. */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.";

/** Decrypts a token; while the secret is rotated, one made under the previous secret too. */
export function tokenDecoder({ secrets }: LoginCore) {
  const [current, previous] = secrets;
  return async ({ token, salt }: JWTDecodeParams) => {
    if (!token?.startsWith(TOKEN_HEADER)) throw new Error("This is none of our tokens.");
    const decoded = decode({ token, salt, secret: current });
    return previous === undefined ? decoded : decoded.catch(() => decode({ token, salt, secret: previous }));
  };
}

/** What the request's token claims: its signature is checked, but not that its row is still there. */
export async function currentClaims(core: LoginCore, headers: SentHeaders): Promise<TokenClaims | null> {
  const token = readCookie(headers.get("cookie"), sessionCookieName(core));
  if (token === null) return null;
  try {
    return readClaims(await tokenDecoder(core)({ token, secret: core.secrets[0] }));
  } catch {
    return null;
  }
}

/**
 * The signed-in browser that makes a request, or null. Every restricted page and handler asks here: the token's
 * signature is checked, and that its row is still there.
 */
export async function currentSession(core: LoginCore, headers: SentHeaders): Promise<BrowserSession | null> {
  const claims = await currentClaims(core, headers);
  if (!claims) return null;
  const now = core.now();
  const session = await findBrowserSession(core.database, claims.browserSessionId, now);
  if (session?.userId !== claims.userId) return null;
  await touchBrowserSession(core.database, session, now);
  return session;
}
