import "server-only";
import { decode, encode, type JWTDecodeParams } from "next-auth/jwt";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { env, masterSecrets } from "#lib/core/env.ts";
import { ownCookieName } from "#lib/core/http/own-cookies.ts";

/** What our token holds; the row that `browserSessionId` names decides whether it is worth anything. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The claims in a decoded token, or null when it is none of ours. */
export function readClaims(token: Record<string, unknown> | null | undefined): TokenClaims | null {
  const { browserSessionId, userId } = token ?? {};
  return typeof browserSessionId === "string" && typeof userId === "number"
    ? { browserSessionId, userId }
    : null;
}

/** How our tokens begin: `{"alg":"dir","enc":"A256GCM"}`. Another algorithm could be one that takes long. */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.";

/**
 * Decrypts a token; while NEXTAUTH_SECRET is rotated, one that was made under the secret before too, so that nobody
 * is signed out by it.
 * @throws when it is none of ours
 */
export async function decodeToken({ token, salt }: JWTDecodeParams) {
  if (!token?.startsWith(TOKEN_HEADER)) throw new Error("This is none of our tokens.");
  const [current, ...others] = masterSecrets();
  try {
    return await decode({ token, salt, secret: current });
  } catch (error) {
    const [previous] = others;
    if (previous === undefined) throw error;
    return decode({ token, salt, secret: previous });
  }
}

/** The cookie that holds NextAuth's token. */
export function sessionCookie() {
  return hostCookie("next-auth.session-token");
}

/** The cookie in which NextAuth keeps where to go after signing in. */
export function callbackUrlCookie() {
  return hostCookie("next-auth.callback-url");
}

/**
 * A cookie with the attributes that NextAuth itself chooses, and over https pinned to this very host: with NextAuth's
 * own prefix `__Secure-` a neighbour below the same domain could set it, and so sign a browser in as somebody else.
 */
function hostCookie(name: "next-auth.session-token" | "next-auth.callback-url") {
  const secure = env().SECURE;
  return {
    name: ownCookieName(name, secure),
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

/** Where a browser goes on to by a plain redirect, and the cookie that signs it in, if it was not signed in before. */
export type Entrance = {
  path: string;
  setCookie: string | null;
  /** False where nothing that the browser holds stands for a login or a session: such requests are counted. */
  authenticated: boolean;
};

/**
 * The `Set-Cookie` header's value that signs a browser in: the same token in the same cookie as NextAuth's own
 * sign-in makes, for where no script runs (`/dashboard?sid=`, specification 4.3).
 */
export async function signedInCookie({ browserSessionId, userId }: TokenClaims): Promise<string> {
  const token = await encode({
    token: { browserSessionId, userId },
    secret: env().NEXTAUTH_SECRET,
    maxAge: BROWSER_SESSION_SECONDS,
  });
  const { name, options } = sessionCookie();
  return [
    `${name}=${token}`,
    `Path=${options.path}`,
    `Max-Age=${BROWSER_SESSION_SECONDS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(options.secure ? ["Secure"] : []),
  ].join("; ");
}
