import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type PublicKey, parsePublicKey } from "../../login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "../../login/crypto/signature.ts";
import { lenientSignature } from "./lenient.fixture.ts";
import type { Has } from "./planted.fixture.ts";

/** What the reference site takes for a key and for its signature, and the places where a fault changes it. */

/** Half of the group's order. */
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The text that a key is stored and compared by; null for what is no key. */
export function readKey(text: string, has: Has): string | null {
  const key = parsePublicKey(text)?.hex ?? null;
  if (key === null) {
    if (/^0[67]/.test(text) && has("hybrid-keys")) return parsePublicKey(`04${text.slice(2)}`)?.hex ?? null;
    if (text !== text.trim() && has("trimmed-keys")) return parsePublicKey(text.trim())?.hex ?? null;
    if (has("key-throws")) throw new TypeError("Bad point");
    return null;
  }
  if (text.length !== 130 && has("no-compressed")) return null;
  if (text !== text.toLowerCase() && has("lower-case-keys")) return null;
  return text !== key && has("keys-as-sent") ? text : key;
}

/** Whether a text is the key's signature over the challenge. */
export function isSigned(key: string, text: string, challenge: string, has: Has): boolean {
  const publicKey = parsePublicKey(key);
  const signature = parseDerSignature(text) ?? lenientSignature(text, has);
  if (!publicKey || !signature) return false;
  if (!verifySignature({ publicKey, signature, message: challenge })) {
    return has("hashed-twice-too") && isSignedTwice(publicKey, signature, challenge);
  }
  if (text !== text.toLowerCase() && has("lower-case-hex")) return false;
  const isHigh = BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex")}`) > HALF;
  if (isHigh ? has("low-s-only") : has("high-s-only")) return false;
  return /^30..02(20|21)/i.test(text) || !has("fixed-length");
}

function isSignedTwice({ bytes }: PublicKey, signature: Uint8Array, challenge: string): boolean {
  const once = createHash("sha256").update(challenge).digest();
  const twice = createHash("sha256").update(once).digest();
  return secp256k1.verify(signature, twice, bytes, { prehash: false, lowS: false });
}
