import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type PublicKey, parsePublicKey } from "../../login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "../../login/crypto/signature.ts";
import { type HasFault, SiteError } from "./reference.fixture.ts";

/** Planted faults change which challenges, keys and signatures the reference site accepts. */

const ORDER = secp256k1.Point.CURVE().n;

/** As the site stores and compares keys. Null if the text is not a key. */
export function readKey(text: string, has: HasFault): string | null {
  const key = parsePublicKey(text)?.hex ?? null;
  if (key === null) {
    if (/^04.{128}$/.test(text) && has("y-unread")) return compressedKey(text);
    if (/^0[67]/.test(text) && has("hybrid-keys")) return parsePublicKey(`04${text.slice(2)}`)?.hex ?? null;
    if (text !== text.trim() && has("trimmed-keys")) return parsePublicKey(text.trim())?.hex ?? null;
    if (has("key-throws")) throw new TypeError("Bad point");
    return null;
  }
  if (text.length !== 130 && has("no-compressed")) return null;
  if (text !== text.toLowerCase() && has("lower-case-keys")) return null;
  return text !== key && has("keys-as-sent") ? text : key;
}

/** With the parity of this y. The point need not be on the curve. */
function compressedKey(text: string): string | null {
  const parity = Number.parseInt(text.slice(-1), 16) % 2 === 0 ? "02" : "03";
  return parsePublicKey(parity + text.slice(2, 66))?.hex ?? null;
}

/** A fault makes a site accept a signature over the changed challenge. */
const NEARLY: readonly [fault: string, change: (challenge: string) => string][] = [
  ["lower-case-signed", (challenge) => challenge.toLowerCase()],
  ["line-signed", (challenge) => `${challenge}\n`],
  ["domain-unsigned", (challenge) => challenge.split(":").toSpliced(2, 1).join(":")],
  ["ethereum-signed", (challenge) => `\x19Ethereum Signed Message:\n${challenge.length}${challenge}`],
];

/** Returns whether `text` is the key's signature over the challenge. */
export function isSigned(key: string, text: string, challenge: string, has: HasFault): boolean {
  const publicKey = parsePublicKey(key);
  const signature = parseDerSignature(text) ?? lenientSignature(text, has);
  if (!publicKey || !signature) return false;
  if (!verifySignature({ publicKey, signature, message: challenge })) {
    if (has("hashed-twice-too") && isSignedTwice(publicKey, signature, challenge)) return true;
    return NEARLY.some(
      ([fault, change]) =>
        has(fault) && verifySignature({ publicKey, signature, message: change(challenge) }),
    );
  }
  if (text !== text.toLowerCase() && has("lower-case-hex")) return false;
  const isHigh = BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex")}`) > ORDER / 2n;
  if (isHigh ? has("low-s-only") : has("high-s-only")) return false;
  return /^30..02(20|21)/i.test(text) || !has("fixed-length");
}

function isSignedTwice({ bytes }: PublicKey, signature: Uint8Array, challenge: string): boolean {
  const once = createHash("sha256").update(challenge).digest();
  const twice = createHash("sha256").update(once).digest();
  return secp256k1.verify(signature, twice, bytes, { prehash: false, lowS: false });
}

/** Differs from `text` only if a planted fault makes the lookup of a challenge inexact. */
export function normaliseLaxly(text: string, has: HasFault): string {
  if (text !== text.trim() && has("challenge-trimmed")) return text.trim();
  if (text.includes("%") && has("challenge-decoded")) return decodeURIComponent(text);
  return text;
}

/** @throws {SiteError} 406 if the wallet reports a different intent from the code's own */
export function expectIntent(
  challenge: { intent: string | null; used: boolean },
  reported: unknown,
  has: HasFault,
): void {
  const { intent } = challenge;
  if (reported === undefined && !(intent !== null && has("intent-required"))) return;
  const own = intent === null || has("intent-of-logins") ? null : intent;
  if (reported === own && !(own === null && has("null-refused"))) return;
  if (intent === null ? has("intent-unread") : has("dropped-unread")) return;
  if (has("mismatch-spends")) challenge.used = true;
  throw new SiteError(406, has("intent-as-signature") ? "invalid_signature" : "intent_mismatch");
}

/** r‖s as a tolerant parser would read it. Null if even a tolerant parser would fail. */
function lenientSignature(text: string, has: HasFault): Uint8Array | null {
  if (has("compact-accepted") && /^[0-9a-f]{128}$/.test(text)) return Buffer.from(text, "hex");
  if (has("base64-accepted") && /^ME[QUY]/.test(text))
    return readBer(Buffer.from(text, "base64"), () => false);
  const hex = has("hex-cut") ? (/^(..)*?(?=[^0-9a-f]|$)/.exec(text)?.[0] ?? "") : text;
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return null;
  return readBer(Buffer.from(hex, "hex"), has);
}

/** SEQUENCE { INTEGER, INTEGER }. The parser is strict, except where a planted fault makes it tolerant. */
function readBer(bytes: Buffer, has: HasFault): Uint8Array | null {
  let at = 0;
  const readLength = (): number => {
    const first = bytes[at++] ?? 0;
    if (first < 0x80) return first;
    if (!has("ber-lengths") || first === 0x80) return -1;
    let length = 0;
    for (let count = first & 0x7f; count > 0; count--) length = length * 256 + (bytes[at++] ?? 0);
    return length;
  };
  const isTag = (tag: number) => bytes[at++] === tag || has("any-tag");
  if (!isTag(0x30)) return null;
  const length = readLength();
  if (length < 0 || (at + length !== bytes.length && !has("trailing-bytes"))) return null;
  const scalars: Buffer[] = [];
  for (let index = 0; index < 2; index++) {
    if (!isTag(0x02)) return null;
    const size = readLength();
    if (size <= 0 || at + size > bytes.length) return null;
    const content = bytes.subarray(at, at + size);
    at += size;
    const isPadded = size > 1 && content[0] === 0 && (content[1] ?? 0) < 0x80;
    const isNegative = (content[0] ?? 0) >= 0x80;
    if ((isPadded || isNegative) && !has("loose-integers")) return null;
    const value = BigInt(`0x${content.toString("hex")}`);
    const reducedValue = has("scalars-reduced") ? value % ORDER : value;
    if (reducedValue === 0n || reducedValue >= ORDER) return null;
    scalars.push(Buffer.from(reducedValue.toString(16).padStart(64, "0"), "hex"));
  }
  if (at !== bytes.length && !has("trailing-bytes")) return null;
  return Buffer.concat(scalars);
}
