import { hkdfSync, randomUUID } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { BROWSER_SESSION_SECONDS } from "../../protocol/numbers.ts";
import type { SessionTokenCodec } from "../../server/core.ts";

/**
 * All of our tokens begin with `{"alg":"dir","enc":"A256GCM"}`. Decrypting tokens with other algorithms could take
 * long.
 */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

/** Between two servers, as in NextAuth. */
const CLOCK_TOLERANCE_SECONDS = 15;

const keys = new Map<string, Uint8Array>();

/** The key is cached, because the derivation takes longer than everything else that is done with a token. */
function keyOf(secret: string): Uint8Array {
  const key =
    keys.get(secret) ??
    new Uint8Array(hkdfSync("sha256", secret, "", "NextAuth.js Generated Encryption Key", 32));
  keys.set(secret, key);
  return key;
}

/** Uses the format of `next-auth/jwt`. During a rotation, tokens can be encrypted with different secrets. */
export const nextAuthTokenCodec: SessionTokenCodec = {
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
