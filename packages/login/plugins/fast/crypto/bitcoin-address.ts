import { hash } from "node:crypto";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import { nullOnError } from "../../../crypto/secp256k1.ts";

/** The address types of fast login (docs/protocol.md#6-fast-login). */
export type AddressKind = "p2pkh" | "p2sh-p2wpkh" | "p2wpkh";

/** A mainnet address in canonical form, so that each address has one spelling and one user. */
export type BitcoinAddress = {
  readonly kind: AddressKind;
  /** Base58Check unchanged, bech32 in lower case. This form is stored and compared. */
  readonly text: string;
};

/** Version bytes of mainnet's Base58Check addresses. */
const P2PKH_VERSION = 0x00;
const P2SH_VERSION = 0x05;
const HASH_BYTES = 20;
/** BIP-173: mainnet's human-readable part, and the witness version of P2WPKH. */
const MAINNET_HRP = "bc";
const WITNESS_VERSION_0 = 0;
/** The longest of the three types has 42 characters. */
const MAX_LENGTH = 42;

const base58check = createBase58check(sha256);

/**
 * Parses a mainnet address of type P2PKH, P2SH (which can only be meant as P2SH-P2WPKH here) or P2WPKH, and checks its
 * checksum and network. Returns null for anything else: other networks, P2WSH, Taproot (bech32m), mixed letter case,
 * white space, wrong lengths. Never throws.
 */
export function parseBitcoinAddress(text: string): BitcoinAddress | null {
  if (text.length > MAX_LENGTH) return null;
  return /^bc1/i.test(text) ? parseSegwit(text) : parseBase58(text);
}

/**
 * Returns the address of a 33-byte compressed public key. For the P2PKH address of an uncompressed key, pass its 65
 * bytes.
 */
export function encodeBitcoinAddress(kind: AddressKind, publicKey: Uint8Array): string {
  const keyHash = hash160(publicKey);
  switch (kind) {
    case "p2pkh":
      return base58check.encode(Uint8Array.of(P2PKH_VERSION, ...keyHash));
    case "p2sh-p2wpkh": {
      // BIP-141: the redeem script is the witness program, OP_0 and a push of 20 bytes.
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

// This is bech32, not bech32m. BIP-350 keeps bech32 for version 0, so the checksum distinguishes the two.
function parseSegwit(text: string): BitcoinAddress | null {
  const decoded = nullOnError(() => bech32.decodeUnsafe(text));
  if (!decoded || decoded.prefix !== MAINNET_HRP) return null;
  const [version, ...words] = decoded.words;
  const program = nullOnError(() => bech32.fromWords(words));
  if (version !== WITNESS_VERSION_0 || program?.length !== HASH_BYTES) return null;
  return { kind: "p2wpkh", text: text.toLowerCase() };
}

function hash160(bytes: Uint8Array): Uint8Array {
  // RIPEMD-160 comes from noble, because OpenSSL 3 may be built or configured without it.
  return ripemd160(hash("sha256", bytes, "buffer"));
}
