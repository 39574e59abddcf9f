import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { bech32, createBase58check } from "@scure/base";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { WalletError } from "./wallet-error.ts";

/** The address types that fast login takes, the present one first. */
export const ADDRESS_TYPES = ["p2wpkh", "p2sh-p2wpkh", "p2pkh"] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** BIP-44, BIP-49 and BIP-84: each type has its own purpose number. */
const PURPOSES: Record<AddressType, number> = { p2pkh: 44, "p2sh-p2wpkh": 49, p2wpkh: 84 };

/** The key of one address, the first external one of an account. */
export type AddressKey = {
  type: AddressType;
  account: number;
  /** `m/84'/0'/0'/0/0` and its like. */
  path: string;
  /** Mainnet, as it is shown. */
  address: string;
  /** 32 bytes. Lives as long as the act that needs it. */
  privateKey: Uint8Array;
  /** Hex of the 33 compressed bytes, which the address hashes. */
  publicKey: string;
};

const base58check = createBase58check(sha256);

/**
 * Derives the key of an account's first address along the standard paths, so that any Bitcoin wallet with the same
 * phrase has the same address. Unlike a domain's key it is the same at every site.
 * @param seed 64 bytes of a BIP-39 phrase
 * @param account 0 for the first account, 1 for the second, …
 * @throws WalletError `account_malformed`
 */
export function deriveAddress(seed: Uint8Array, type: AddressType, account = 0): AddressKey {
  if (!Number.isInteger(account) || account < 0 || account >= HARDENED_OFFSET) {
    throw new WalletError("account_malformed", "An account of an address is a number from 0 to 2147483647.");
  }
  const path = `m/${PURPOSES[type]}'/0'/${account}'/0/0`;
  const master = HDKey.fromMasterSeed(seed);
  const node = master.derive(path);
  // Set by BIP-32 for every node with a private parent; the library's type also covers public nodes.
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

/** The mainnet address of a compressed public key. */
function addressOf(type: AddressType, publicKey: Uint8Array): string {
  const keyHash = hash160(publicKey);
  switch (type) {
    case "p2pkh":
      return base58check.encode(concatBytes(Uint8Array.of(0x00), keyHash));
    case "p2sh-p2wpkh":
      // BIP-49: the hash of the redeem script, OP_0 and a push of the key's hash.
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
