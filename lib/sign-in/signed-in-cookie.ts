import { hkdfSync } from "node:crypto";
import { EncryptJWT } from "jose";
import { BROWSER_SESSION_SECONDS } from "#lib/login/protocol/numbers.ts";
import { hostCookie, setCookieHeader } from "#lib/login/server/cookies.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";

/** NextAuth's key for tokens, of the current secret: deriving it takes longer than a token. */
const keys = new WeakMap<LoginCore["secrets"], Uint8Array>();

/** The `Set-Cookie` header that signs a browser in: NextAuth's cookie, with a token as NextAuth's `encode` makes it. */
export async function signedInCookie(core: LoginCore, claims: TokenClaims): Promise<string> {
  const key = keys.get(core.secrets) ?? deriveKey(core.secrets[0]);
  keys.set(core.secrets, key);
  const token = await new EncryptJWT({ ...claims })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(`${BROWSER_SESSION_SECONDS}s`)
    .setJti(crypto.randomUUID())
    .encrypt(key);
  return setCookieHeader(
    hostCookie("next-auth.session-token", isSecure(core)),
    token,
    BROWSER_SESSION_SECONDS,
  );
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "NextAuth.js Generated Encryption Key", 32));
}
