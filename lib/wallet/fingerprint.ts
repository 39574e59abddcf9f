import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { WalletError } from "./wallet-error.ts";

const FINGERPRINT_BYTES = 8;

/**
 * A public key short enough to compare by eye: the first 8 bytes of SHA-256 over its 65 uncompressed
 * bytes, as lower-case hex in four groups of four, `1a2b 3c4d 5e6f 7081`. For display only: 64 bits
 * tell keys apart, they do not prove which one it is.
 *
 * @param publicKey hex, compressed or uncompressed
 * @throws WalletError `public_key_malformed`
 */
export function fingerprint(publicKey: string): string {
  const hex = bytesToHex(sha256(uncompressed(publicKey)).subarray(0, FINGERPRINT_BYTES));
  return hex.match(/.{4}/g)?.join(" ") ?? hex;
}

function uncompressed(publicKey: string): Uint8Array {
  try {
    return secp256k1.Point.fromHex(publicKey).toBytes(false);
  } catch {
    throw new WalletError("public_key_malformed", "This is not a secp256k1 public key in hex.");
  }
}
