import { hkdfSync, randomUUID } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { BROWSER_SESSION_SECONDS } from "../../protocol/numbers.ts";
import type { SessionTokens } from "../../server/core.ts";

/** The beginning of our tokens: `{"alg":"dir","enc":"A256GCM"}`. Decrypting with another algorithm could take long. */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

/** How far the clocks of two servers may differ, as in NextAuth. */
const CLOCK_TOLERANCE_SECONDS = 15;

const keys = new Map<string, Uint8Array>();

/**
 * Derives NextAuth's key from a secret. It is cached, because deriving it takes longer than all other work on a token.
 */
function keyOf(secret: string): Uint8Array {
  const key =
    keys.get(secret) ??
    new Uint8Array(hkdfSync("sha256", secret, "", "NextAuth.js Generated Encryption Key", 32));
  keys.set(secret, key);
  return key;
}

/** The tokens of `next-auth/jwt`, encrypted with any of the secrets. During a rotation there are several. */
export const nextAuthTokens: SessionTokens = {
  cookie: "next-auth.session-token",
  encode: (claims, secret) =>
    new EncryptJWT({ ...claims })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setIssuedAt()
      .setExpirationTime(`${BROWSER_SESSION_SECONDS}s`)
      .setJti(randomUUID())
      .encrypt(keyOf(secret)),
  async decode(token, secrets) {
    if (!token.startsWith(`${TOKEN_HEADER}.`)) throw new Error("This is not one of our tokens.");
    const decrypt = (secret: string) =>
      jwtDecrypt(token, keyOf(secret), { clockTolerance: CLOCK_TOLERANCE_SECONDS });
    return (await Promise.any(secrets.map(decrypt))).payload;
  },
};
