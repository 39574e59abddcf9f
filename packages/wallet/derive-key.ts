import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { isHostName } from "./url.ts";
import { WalletError } from "./wallet-error.ts";

const PURPOSE = 13;
const FINGERPRINT_BYTES = 8;

export type DomainKey = {
  domain: string;
  account: number;
  /** `m/13'/A'/B'/C'/D'` */
  path: string;
  /** 32 bytes. The caller wipes it after use. */
  privateKey: Uint8Array;
  /** Hex of the 65 uncompressed bytes (04…), lower case (docs/protocol.md#14-signature). */
  publicKey: string;
};

/**
 * SLIP-0013 on secp256k1. Each site sees a different public key, and the same phrase gives the same keys on every
 * device. The identity is `svc://{domain}`, this protocol's own scheme. As a result, no key is shared with another use
 * of the same phrase, such as a SLIP-0013 login to `https://{domain}`.
 * @param seed 64 bytes from a BIP-39 phrase
 * @param domain the challenge's domain
 * @param account 0 for the first account on a domain, 1 for the second, …
 * @throws WalletError `domain_malformed` or `account_malformed`
 */
export function deriveKey(seed: Uint8Array, domain: string, account = 0): DomainKey {
  if (!isHostName(domain)) {
    throw new WalletError(
      "domain_malformed",
      "A domain must be a host name in lower case, like example.com.",
    );
  }
  const indexes = computeSlip13Indexes(`svc://${domain}`, account);
  let node = HDKey.fromMasterSeed(seed);
  for (const index of indexes) {
    const child = node.deriveChild(index);
    node.wipePrivateData();
    node = child;
  }
  // A node with a private parent always has a private key (BIP-32). The library's type also covers public nodes.
  const privateKey = Uint8Array.from(node.privateKey ?? []);
  node.wipePrivateData();
  return {
    domain,
    account,
    path: `m/${indexes.map((index) => `${index - HARDENED_OFFSET}'`).join("/")}`,
    privateKey,
    publicKey: bytesToHex(secp256k1.getPublicKey(privateKey, false)),
  };
}

export function describeKey(seed: Uint8Array, domain: string, account: number) {
  const { privateKey, ...key } = deriveKey(seed, domain, account);
  privateKey.fill(0);
  return { ...key, fingerprint: computeFingerprint(key.publicKey) };
}

/**
 * The first 8 bytes of SHA-256 over the key's 65 uncompressed bytes, as lower-case hex in four groups of four, `1a2b
 * 3c4d 5e6f 7081`. Use it only for display: 64 bits distinguish a user's keys, but do not prove which key it is.
 * @param publicKey hex, compressed or uncompressed
 */
export function computeFingerprint(publicKey: string): string {
  const uncompressed = secp256k1.Point.fromHex(publicKey).toBytes(false);
  const hex = bytesToHex(sha256(uncompressed).subarray(0, FINGERPRINT_BYTES));
  return hex.match(/.{4}/g)?.join(" ") ?? hex;
}

/**
 * SLIP-0013, "HD structure": 13, then the first 128 bits of SHA-256(LE32(index) || URI) as four little-endian 32-bit
 * words with their highest bit set.
 * @throws WalletError `account_malformed` when `index` is not a 32-bit unsigned integer
 */
export function computeSlip13Indexes(uri: string, index: number): number[] {
  if (!Number.isInteger(index) || index < 0 || index > 0xffff_ffff) {
    throw new WalletError(
      "account_malformed",
      "An account number must be a whole number from 0 to 4294967295.",
    );
  }
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, index, true);
  const hash = sha256(concatBytes(prefix, utf8ToBytes(uri)));
  const words = new DataView(hash.buffer, hash.byteOffset, 16);
  const identity = [0, 4, 8, 12].map((offset) => (words.getUint32(offset, true) | HARDENED_OFFSET) >>> 0);
  return [PURPOSE + HARDENED_OFFSET, ...identity];
}
