import { hash } from "node:crypto";
import { decodeHex, type PublicKey } from "./public-key.ts";
import { getSecp256k1Engine } from "./secp256k1.ts";

const SCALAR_BYTES = 32;
/** The maximum length: a SEQUENCE header, and for each integer a header, a sign byte and 32 bytes. */
const MAX_DER_BYTES = 2 + 2 * (2 + SCALAR_BYTES + 1);
const TAG_INTEGER = 0x02;
const TAG_SEQUENCE = 0x30;

/** The order n of the group (SEC 2, 2.4.1), big-endian. */
const GROUP_ORDER = Buffer.from("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", "hex");

/**
 * Parses a signature (docs/protocol.md#14-signature): the hex of a strict DER `SEQUENCE { r INTEGER, s INTEGER }`
 * (X.690, 8 and 10), which is the only encoding of r and s. Both integers must be in [1, n − 1], and s can be high.
 * Never throws.
 * @returns r‖s, as 32 big-endian bytes each, or null if the signature is invalid
 */
export function parseDerSignature(hex: string): Uint8Array | null {
  // Check the length first, so that long input costs nothing.
  if (hex.length > 2 * MAX_DER_BYTES) return null;
  const der = decodeHex(hex);
  // The body has at most 70 bytes, so its length must be encoded in one byte.
  if (der === null || der[0] !== TAG_SEQUENCE || der[1] !== der.length - 2) return null;

  const signature = new Uint8Array(2 * SCALAR_BYTES);
  const afterR = readScalar(der, 2, signature.subarray(0, SCALAR_BYTES));
  if (afterR === null) return null;
  const afterS = readScalar(der, afterR, signature.subarray(SCALAR_BYTES));
  return afterS === der.length ? signature : null;
}

/** Right-aligned. Returns the offset that follows the INTEGER, or null if the INTEGER is invalid. */
function readScalar(der: Uint8Array, offset: number, scalar: Uint8Array): number | null {
  const length = der[offset + 1];
  if (der[offset] !== TAG_INTEGER || length === undefined) return null;
  const end = offset + 2 + length;
  const firstByte = der[offset + 2];
  if (firstByte === undefined || length === 0 || end > der.length) return null; // empty or truncated
  if (firstByte >= 0x80) return null; // negative

  let start = offset + 2;
  if (firstByte === 0x00) {
    // A leading zero byte is allowed only if the next bit would otherwise be the sign. Zero itself is out of range.
    const next = der[offset + 3];
    if (length === 1 || next === undefined || next < 0x80) return null;
    start += 1;
  }
  if (end - start > SCALAR_BYTES) return null;
  scalar.set(der.subarray(start, end), SCALAR_BYTES - (end - start));
  return Buffer.compare(scalar, GROUP_ORDER) < 0 ? end : null;
}

/**
 * The signed digest is a single SHA-256 of the message's UTF-8 bytes. Returns false if the message contains a lone
 * surrogate, which has no UTF-8 encoding.
 */
export function verifySignature(signed: {
  publicKey: PublicKey;
  signature: Uint8Array;
  message: string;
}): boolean {
  if (!signed.message.isWellFormed()) return false;
  const digest = hash("sha256", signed.message, "buffer");
  return getSecp256k1Engine().verifyDigest(signed.signature, digest, signed.publicKey.bytes);
}
