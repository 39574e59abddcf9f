import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, createBase58check } from "@scure/base";

/** BIP-137's types, and Electrum's way of signing for segwit addresses (headers 31 to 34). */
export const FAST_TYPES = [
  "p2pkh",
  "p2pkh-uncompressed",
  "p2sh-p2wpkh",
  "p2wpkh",
  "electrum-p2sh",
  "electrum-p2wpkh",
] as const;
export type FastType = (typeof FAST_TYPES)[number];

/** The fields of a fast response (docs/protocol.md#62-get-and-post-apifastauth). */
export type SignedFields = { pubk: string; msg: string; sig: string; addr: string };

const base58check = createBase58check(sha256);
const HEADERS: Record<FastType, number> = {
  "p2pkh-uncompressed": 27,
  p2pkh: 31,
  "electrum-p2sh": 31,
  "electrum-p2wpkh": 31,
  "p2sh-p2wpkh": 35,
  p2wpkh: 39,
};

/** A Bitcoin wallet of one random key, written apart from the application's own. */
export class FastWallet {
  readonly #secret = secp256k1.utils.randomSecretKey();
  readonly type: FastType;
  readonly address: string;
  /** Hex, in the form that the address hashes. */
  readonly publicKey: string;

  constructor(type: FastType = "p2wpkh") {
    const point = secp256k1.getPublicKey(this.#secret, type !== "p2pkh-uncompressed");
    this.type = type;
    this.address = addressOf(type, point);
    this.publicKey = Buffer.from(point).toString("hex");
  }

  /** Base64 of header, r and s over Bitcoin's hash of a message. `header` in place of the type's own first one. */
  sign(message: string, header = HEADERS[this.type]): string {
    const digest = messageDigest(message);
    const signature = secp256k1.sign(digest, this.#secret, { prehash: false, format: "recovered" });
    // noble puts the recovery number in front.
    return Buffer.from([header + (signature[0] ?? 0), ...signature.subarray(1)]).toString("base64");
  }

  /** What the wallet sends for a QR URL. */
  fields(qr: string, changes: Partial<SignedFields> = {}): SignedFields {
    return { pubk: this.publicKey, msg: qr, sig: this.sign(qr), addr: this.address, ...changes };
  }
}

/** Double SHA-256 over the prefix and the message, each with its length in front (messages below 253 or 65536). */
export function messageDigest(message: string): Uint8Array {
  const bytes = utf8ToBytes(message);
  const length =
    bytes.length < 253
      ? Uint8Array.of(bytes.length)
      : Uint8Array.of(0xfd, bytes.length & 0xff, bytes.length >> 8);
  const prefix = utf8ToBytes("Bitcoin Signed Message:\n");
  return sha256(sha256(concatBytes(Uint8Array.of(prefix.length), prefix, length, bytes)));
}

function addressOf(type: FastType, point: Uint8Array): string {
  const keyHash = hash160(point);
  switch (type) {
    case "p2pkh":
    case "p2pkh-uncompressed":
      return base58check.encode(concatBytes(Uint8Array.of(0), keyHash));
    case "p2sh-p2wpkh":
    case "electrum-p2sh":
      return base58check.encode(
        concatBytes(Uint8Array.of(5), hash160(concatBytes(Uint8Array.of(0, 20), keyHash))),
      );
    case "p2wpkh":
    case "electrum-p2wpkh":
      return bech32.encode("bc", [0, ...bech32.toWords(keyHash)]);
  }
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}
