import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, createBase58check } from "@scure/base";

/**
 * Verifies Bitcoin messages, as a second implementation for the tests. It uses only noble's curve, and neither
 * bitcoinjs-message nor libsecp256k1 nor the application's own code. Following BIP-137, it recovers the public key from
 * the signature, derives every address that the header can mean, and looks for the address that was sent.
 */
export function verifyIndependently(message: string, addr: string, sig: string): boolean {
  const bytes = Uint8Array.from(Buffer.from(sig, "base64"));
  const header = bytes[0] ?? 0;
  if (bytes.length !== 65 || header < 27 || header > 42) return false;
  try {
    const key = secp256k1.Signature.fromBytes(bytes.subarray(1), "compact")
      .addRecoveryBit((header - 27) % 4)
      .recoverPublicKey(digestOf(message));
    return addressesFor(header, key.toBytes(header >= 31)).includes(
      /^bc1/i.test(addr) ? addr.toLowerCase() : addr,
    );
  } catch {
    return false;
  }
}

/** Returns the double SHA-256 of the prefix and the message, each of which is preceded by its length. */
function digestOf(message: string): Uint8Array {
  const bytes = utf8ToBytes(message);
  const size = Buffer.alloc(bytes.length < 253 ? 1 : 3, 0xfd);
  if (size.length === 1) size.writeUInt8(bytes.length);
  else size.writeUInt16LE(bytes.length, 1);
  return sha256(sha256(concatBytes(utf8ToBytes("\x18Bitcoin Signed Message:\n"), size, bytes)));
}

function addressesFor(header: number, key: Uint8Array): string[] {
  const hash = ripemd160(sha256(key));
  const base58 = createBase58check(sha256);
  const p2pkh = base58.encode(concatBytes(Uint8Array.of(0), hash));
  const p2sh = base58.encode(
    concatBytes(Uint8Array.of(5), ripemd160(sha256(concatBytes(Uint8Array.of(0, 20), hash)))),
  );
  const p2wpkh = bech32.encode("bc", [0, ...bech32.toWords(hash)]);
  if (header < 31) return [p2pkh];
  if (header < 35) return [p2pkh, p2sh, p2wpkh];
  return header < 39 ? [p2sh] : [p2wpkh];
}
