import { createCipheriv, hkdfSync, randomUUID } from "node:crypto";
import { BROWSER_SESSION_SECONDS } from "#lib/login/protocol/numbers.ts";
import { unixSeconds } from "#lib/login/protocol/time.ts";
import { hostCookie, setCookieHeader } from "#lib/login/server/cookies.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import { drawBytes } from "#lib/login/server/random.ts";
import { TOKEN_HEADER, type TokenClaims } from "#lib/login/server/session-token.ts";

/** NextAuth's key for tokens, of the current secret: deriving it takes longer than a token. */
const keys = new WeakMap<LoginCore["secrets"], Uint8Array>();

const IV_BYTES = 12;

/** The `Set-Cookie` header that signs a browser in: NextAuth's cookie, with a token as NextAuth's `encode` makes it. */
export function signedInCookie(core: LoginCore, claims: TokenClaims): string {
  const key = keys.get(core.secrets) ?? deriveKey(core.secrets[0]);
  keys.set(core.secrets, key);
  const iat = unixSeconds(new Date());
  const token = encrypt({ ...claims, iat, exp: iat + BROWSER_SESSION_SECONDS, jti: randomUUID() }, key);
  const cookie = hostCookie("next-auth.session-token", isSecure(core));
  return setCookieHeader(cookie, token, BROWSER_SESSION_SECONDS);
}

/** A compact JWE (RFC 7516, 3.1) with direct encryption (RFC 7518, 4.5) by AES-256-GCM (5.3). */
function encrypt(claims: object, key: Uint8Array): string {
  const iv = drawBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(TOKEN_HEADER));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()]);
  const parts = [iv, sealed, cipher.getAuthTag()].map((bytes) => bytes.toString("base64url"));
  return [TOKEN_HEADER, "", ...parts].join(".");
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "NextAuth.js Generated Encryption Key", 32));
}
