import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Has } from "./planted.fixture.ts";

/** What lax readers take for a challenge or a signature: faults of the reference site. */

const ORDER = secp256k1.Point.CURVE().n;

/** The text that a lax site looks a challenge up by. */
export function readsAlso(text: string, has: Has): string {
  if (text !== text.trim() && has("challenge-trimmed")) return text.trim();
  if (text.includes("%") && has("challenge-decoded")) return decodeURIComponent(text);
  return text;
}

/** r‖s of what is no strict signature, as a lax reader finds it; null where it finds none. */
export function lenientSignature(text: string, has: Has): Uint8Array | null {
  if (has("compact-accepted") && /^[0-9a-f]{128}$/.test(text)) return Buffer.from(text, "hex");
  if (has("base64-accepted") && /^ME[QUY]/.test(text))
    return readBer(Buffer.from(text, "base64"), () => false);
  const hex = has("hex-cut") ? (/^(..)*?(?=[^0-9a-f]|$)/.exec(text)?.[0] ?? "") : text;
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return null;
  return readBer(Buffer.from(hex, "hex"), has);
}

/** SEQUENCE { INTEGER, INTEGER }, strict in all but what the faults allow. */
function readBer(bytes: Buffer, has: Has): Uint8Array | null {
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
    const reduced = has("scalars-reduced") ? value % ORDER : value;
    if (reduced === 0n || reduced >= ORDER) return null;
    scalars.push(Buffer.from(reduced.toString(16).padStart(64, "0"), "hex"));
  }
  if (at !== bytes.length && !has("trailing-bytes")) return null;
  return Buffer.concat(scalars);
}
