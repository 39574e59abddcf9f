import { hash } from "node:crypto";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import { nullOnError } from "../../../crypto/secp256k1.ts";

/** docs/protocol.md#6-fast-login */
export type AddressKind = "p2pkh" | "p2sh-p2wpkh" | "p2wpkh";

/** On mainnet. Each address has exactly one canonical form, and therefore only one user. */
export type BitcoinAddress = {
  readonly kind: AddressKind;
  /** Base58Check unchanged, or bech32 in lower case. This form is stored and compared. */
  readonly text: string;
};

/** The version bytes on mainnet. */
const P2PKH_VERSION = 0x00;
const P2SH_VERSION = 0x05;
const HASH_BYTES = 20;
/** BIP-173 */
const MAINNET_HRP = "bc";
const WITNESS_VERSION_0 = 0;
/** The longest addresses of the three types have 42 characters. */
const MAX_LENGTH = 42;

const base58check = createBase58check(sha256);

/**
 * Accepts P2PKH, P2SH (always taken as P2SH-P2WPKH) and P2WPKH, and verifies the checksum. Returns null for anything
 * else: other networks, P2WSH, Taproot (bech32m), mixed case, white space and wrong lengths. Never throws.
 */
export function parseBitcoinAddress(text: string): BitcoinAddress | null {
  if (text.length > MAX_LENGTH) return null;
  return /^bc1/i.test(text) ? parseSegwit(text) : parseBase58(text);
}

/** Pass the 33 bytes of the compressed key, or 65 bytes for the P2PKH address of an uncompressed key. */
export function encodeBitcoinAddress(kind: AddressKind, publicKey: Uint8Array): string {
  const keyHash = hash160(publicKey);
  switch (kind) {
    case "p2pkh":
      return base58check.encode(Uint8Array.of(P2PKH_VERSION, ...keyHash));
    case "p2sh-p2wpkh": {
      // The redeem script is the witness program: OP_0 and a push of 20 bytes (BIP-141).
      const redeemScript = Uint8Array.of(0x00, HASH_BYTES, ...keyHash);
      return base58check.encode(Uint8Array.of(P2SH_VERSION, ...hash160(redeemScript)));
    }
    case "p2wpkh":
      return bech32.encode(MAINNET_HRP, [WITNESS_VERSION_0, ...bech32.toWords(keyHash)]);
  }
}

function parseBase58(text: string): BitcoinAddress | null {
  const payload = nullOnError(() => base58check.decode(text));
  if (payload?.length !== 1 + HASH_BYTES) return null;
  if (payload[0] === P2PKH_VERSION) return { kind: "p2pkh", text };
  return payload[0] === P2SH_VERSION ? { kind: "p2sh-p2wpkh", text } : null;
}

// Version 0 uses bech32, and later versions bech32m (BIP-350), which has a different checksum.
function parseSegwit(text: string): BitcoinAddress | null {
  const decoded = nullOnError(() => bech32.decodeUnsafe(text));
  if (!decoded || decoded.prefix !== MAINNET_HRP) return null;
  const [version, ...words] = decoded.words;
  const program = nullOnError(() => bech32.fromWords(words));
  if (version !== WITNESS_VERSION_0 || program?.length !== HASH_BYTES) return null;
  return { kind: "p2wpkh", text: text.toLowerCase() };
}

function hash160(bytes: Uint8Array): Uint8Array {
  // Uses noble's RIPEMD-160, because OpenSSL 3 can be built or configured without it.
  return ripemd160(hash("sha256", bytes, "buffer"));
}
