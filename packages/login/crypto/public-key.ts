import { createHash } from "node:crypto";
import { getSecp256k1Engine } from "./secp256k1.ts";

const UNCOMPRESSED_BYTES = 65;
const COMPRESSED_BYTES = 33;
const HEX_DIGITS = /^[0-9a-fA-F]+$/;

/**
 * A public key as a point on secp256k1. Its canonical form gives each key exactly one text form, and therefore one user
 * (docs/protocol.md#13-public-key).
 */
export type PublicKey = {
  /** 130 lower-case hex digits that begin with 04. This form is stored and compared. */
  readonly hex: string;
  readonly bytes: Uint8Array;
};

/**
 * Accepts 65 bytes that begin with 04, or 33 bytes that begin with 02 or 03, as upper- or lower-case hex. Returns null
 * for anything else, including points that are not on the curve, hybrid forms (06, 07) and the point at infinity. Never
 * throws.
 */
export function parsePublicKey(hex: string): PublicKey | null {
  if (hex.length !== 2 * UNCOMPRESSED_BYTES && hex.length !== 2 * COMPRESSED_BYTES) return null;
  const encoded = decodeHex(hex);
  if (encoded === null || !hasKnownPrefix(encoded)) return null;
  const bytes = getSecp256k1Engine().uncompress(encoded);
  if (bytes === null) return null;
  const isCanonical = encoded.length === UNCOMPRESSED_BYTES;
  return { hex: isCanonical ? hex.toLowerCase() : Buffer.from(bytes).toString("hex"), bytes };
}

function hasKnownPrefix(encoded: Uint8Array): boolean {
  const prefix = encoded[0];
  return encoded.length === UNCOMPRESSED_BYTES ? prefix === 0x04 : prefix === 0x02 || prefix === 0x03;
}

/**
 * Returns null for the empty string, too. The digits are checked first because `Buffer.from(text, "hex")` is lenient:
 * it silently stops at the first invalid character and reads only the low byte of a character above U+00FF, so "İ0"
 * would become "00".
 */
export function decodeHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !HEX_DIGITS.test(text)) return null;
  return Buffer.from(text, "hex");
}

const FINGERPRINT_BYTES = 8;
const PUBLIC_KEY = /^04[0-9a-f]{128}$/;

/**
 * A public key's name is the fingerprint that wallets also show: the first 8 bytes of SHA-256 of the uncompressed key,
 * in groups of four digits. A Bitcoin address is returned unchanged.
 */
export function formatCredentialName(credential: string): string {
  if (!PUBLIC_KEY.test(credential)) return credential;
  const digest = createHash("sha256").update(Buffer.from(credential, "hex")).digest("hex");
  return digest.slice(0, FINGERPRINT_BYTES * 2).replace(/.{4}(?=.)/g, "$& ");
}
