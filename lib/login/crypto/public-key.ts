import { hash } from "node:crypto";
import { decodeHex } from "./hex.ts";
import { secp256k1Engine } from "./secp256k1.ts";

const UNCOMPRESSED_BYTES = 65;
const COMPRESSED_BYTES = 33;
const FINGERPRINT_BYTES = 8;

/** A point on secp256k1 in its canonical form: one key, one text, one user (contract 2, "Public keys"). */
export type PublicKey = {
  /** 130 lower-case hex digits beginning 04: what is stored and compared. */
  readonly hex: string;
  /** The 65 bytes that `hex` stands for. */
  readonly bytes: Uint8Array;
};

/**
 * Reads a public key as a wallet sends it: hex of 65 bytes beginning 04, or of 33 beginning 02 or 03, in either
 * letter case, a point on the curve (specification 1; contract 2). Null for anything else, hybrid forms (06, 07)
 * and the point at infinity included. Never throws.
 */
export function parsePublicKey(hex: string): PublicKey | null {
  // Before decoding, so that the cost does not grow with what was sent.
  if (hex.length !== 2 * UNCOMPRESSED_BYTES && hex.length !== 2 * COMPRESSED_BYTES) return null;
  const encoded = decodeHex(hex);
  if (encoded === null || !hasKnownPrefix(encoded)) return null;
  const bytes = secp256k1Engine().uncompress(encoded);
  if (bytes === null) return null;
  const canonical =
    encoded.length === UNCOMPRESSED_BYTES ? hex.toLowerCase() : Buffer.from(bytes).toString("hex");
  return { hex: canonical, bytes };
}

function hasKnownPrefix(encoded: Uint8Array): boolean {
  const prefix = encoded[0];
  return encoded.length === UNCOMPRESSED_BYTES ? prefix === 0x04 : prefix === 0x02 || prefix === 0x03;
}

/**
 * A short name of a key for people to compare: the first 8 bytes of SHA-256 over its 65 uncompressed bytes, as
 * "ab12 cd34 ef56 7890". Not an identifier: 64 bits do not keep two keys apart against someone who looks for a
 * match. Throws a TypeError for what is not a public key.
 */
export function fingerprint(publicKeyHex: string): string {
  const publicKey = parsePublicKey(publicKeyHex);
  if (publicKey === null) throw new TypeError("fingerprint: not a secp256k1 public key");
  const digits = hash("sha256", publicKey.bytes, "hex").slice(0, 2 * FINGERPRINT_BYTES);
  return digits.replace(/(.{4})(?=.)/g, "$1 ");
}
