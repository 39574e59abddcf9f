import { encode } from "next-auth/jwt";
import { BROWSER_SESSION_SECONDS } from "#lib/login/protocol/numbers.ts";
import { hostCookie, setCookieHeader } from "#lib/login/server/cookies.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";

/** The `Set-Cookie` header that signs a browser in: NextAuth's cookie, with a token that NextAuth makes. */
export async function signedInCookie(core: LoginCore, claims: TokenClaims): Promise<string> {
  const [secret] = core.secrets;
  const token = await encode({ token: { ...claims }, secret, maxAge: BROWSER_SESSION_SECONDS });
  const cookie = hostCookie("next-auth.session-token", isSecure(core));
  return setCookieHeader(cookie, token, BROWSER_SESSION_SECONDS);
}
