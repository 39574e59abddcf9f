import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64, bech32, createBase58check } from "@scure/base";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { WalletError } from "./wallet-error.ts";

/** Accepted by fast login, the current default first. */
export const ADDRESS_TYPES = ["p2wpkh", "p2sh-p2wpkh", "p2pkh"] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** BIP-44, BIP-49 and BIP-84: each type has its own purpose number. */
const PURPOSES: Record<AddressType, number> = { p2pkh: 44, "p2sh-p2wpkh": 49, p2wpkh: 84 };

/** The key for an account's first external address. */
export type AddressKey = {
  type: AddressType;
  account: number;
  /** For example `m/84'/0'/0'/0/0`. */
  path: string;
  /** On mainnet. */
  address: string;
  /** 32 bytes. The caller wipes it after use. */
  privateKey: Uint8Array;
  /** Hex of the 33-byte compressed key. The address contains a hash of this key. */
  publicKey: string;
};

const base58check = createBase58check(sha256);

/**
 * The paths are the standard ones, so any Bitcoin wallet with the same phrase has the same address. Unlike the key for
 * a domain, this key is the same at every site.
 * @param seed 64 bytes from a BIP-39 phrase
 * @param account 0 for the first account, 1 for the second, …
 * @throws WalletError `account_malformed`
 */
export function deriveAddress(seed: Uint8Array, type: AddressType, account = 0): AddressKey {
  if (!Number.isInteger(account) || account < 0 || account >= HARDENED_OFFSET) {
    throw new WalletError(
      "account_malformed",
      "The account number of an address must be from 0 to 2147483647.",
    );
  }
  const path = `m/${PURPOSES[type]}'/0'/${account}'/0/0`;
  const master = HDKey.fromMasterSeed(seed);
  const node = master.derive(path);
  // A node with a private parent always has a private key (BIP-32). The library's type also covers public nodes.
  const privateKey = Uint8Array.from(node.privateKey ?? []);
  master.wipePrivateData();
  node.wipePrivateData();
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  return {
    type,
    account,
    path,
    address: addressOf(type, publicKey),
    privateKey,
    publicKey: bytesToHex(publicKey),
  };
}

export function describeAddress(seed: Uint8Array, type: AddressType, account: number) {
  const { privateKey, ...key } = deriveAddress(seed, type, account);
  privateKey.fill(0);
  return key;
}

function addressOf(type: AddressType, publicKey: Uint8Array): string {
  const keyHash = hash160(publicKey);
  switch (type) {
    case "p2pkh":
      return base58check.encode(concatBytes(Uint8Array.of(0x00), keyHash));
    case "p2sh-p2wpkh":
      // BIP-49: the address contains the hash of the redeem script, which is OP_0 and a push of the key's hash.
      return base58check.encode(
        concatBytes(Uint8Array.of(0x05), hash160(concatBytes(Uint8Array.of(0x00, 20), keyHash))),
      );
    case "p2wpkh":
      return bech32.encode("bc", [0, ...bech32.toWords(keyHash)]);
  }
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/**
 * BIP-137: the first header byte for each type, to which the recovery number is added. All keys here are compressed.
 */
const HEADERS: Record<AddressType, number> = { p2pkh: 31, "p2sh-p2wpkh": 35, p2wpkh: 39 };

const PREFIX = "Bitcoin Signed Message:\n";

/** The body that a wallet posts to fast login's webhook (docs/protocol.md#6-fast-login). */
export type SignedMessage = {
  /** Hex. */
  pubk: string;
  msg: string;
  /** In base64: the header byte, r and s. */
  sig: string;
  addr: string;
};

/**
 * As Bitcoin wallets do: recoverable ECDSA over the double SHA-256 of prefix and message, with a header byte that
 * follows BIP-137, a deterministic nonce (RFC 6979) and a low S.
 */
export function signMessage(
  msg: string,
  { type, address, privateKey, publicKey }: AddressKey,
): SignedMessage {
  const signature = secp256k1.sign(computeMessageDigest(msg), privateKey, {
    prehash: false,
    format: "recovered",
  });
  // The library puts the recovery number first, where Bitcoin has the header byte.
  const [recovery = 0, ...rs] = signature;
  return {
    pubk: publicKey,
    msg,
    sig: base64.encode(Uint8Array.of(HEADERS[type] + recovery, ...rs)),
    addr: address,
  };
}

/** The prefix and the message, each preceded by its length, hashed twice. */
export function computeMessageDigest(msg: string): Uint8Array {
  const [prefix, message] = [utf8ToBytes(PREFIX), utf8ToBytes(msg)];
  return sha256(sha256(concatBytes(varint(prefix.length), prefix, varint(message.length), message)));
}

/** Bitcoin's compact form, for payloads of up to 4,096 characters. */
function varint(length: number): Uint8Array {
  return length < 0xfd ? Uint8Array.of(length) : Uint8Array.of(0xfd, length & 0xff, length >> 8);
}
