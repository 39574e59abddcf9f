import { ripemd160 } from "@noble/hashes/legacy.js";
import { base58, bech32, bech32m } from "@scure/base";
import { SigningKey, sha256 } from "../signing-key.ts";

export type AddressKind = "p2pkh" | "p2pkh-uncompressed" | "p2sh-p2wpkh" | "p2wpkh";

/** BIP-137: the first of the four header bytes of each kind of address. */
export const HEADERS: Record<AddressKind, number> = {
  "p2pkh-uncompressed": 27,
  p2pkh: 31,
  "p2sh-p2wpkh": 35,
  p2wpkh: 39,
};
/** Electrum uses the header of P2PKH for every kind of address with a compressed key. */
export const ELECTRUM_HEADER = 31;

export type Fields = { pubk: string; msg: string; sig: string; addr: string };

type SigningOptions = { header?: number; highS?: boolean; has?: (rs: Buffer) => boolean };

/**
 * Most signatures are ordinary: neither r nor s begins with a zero byte. So a site that misreads leading zero bytes
 * fails only the check that tests them.
 */
const isOrdinary = (rs: Buffer) => rs[0] !== 0 && rs[32] !== 0;
const bytes32 = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex");

export function messageDigest(message: string): Buffer {
  const bytes = Buffer.from(message, "utf8");
  const length =
    bytes.length < 253 ? Buffer.of(bytes.length) : Buffer.of(0xfd, bytes.length & 0xff, bytes.length >> 8);
  return sha256(sha256(Buffer.concat([Buffer.from("\x18Bitcoin Signed Message:\n"), length, bytes])));
}

/** One random key and one kind of address, by default the oldest. */
export class BitcoinWallet {
  readonly kind: AddressKind;
  readonly #key = new SigningKey();
  /** The public key whose hash the address contains: 33 bytes (compressed) or 65 bytes. */
  readonly keyBytes: Buffer;
  readonly publicKey: string;
  readonly keyHash: Uint8Array;
  readonly address: string;

  constructor(kind: AddressKind = "p2pkh") {
    this.kind = kind;
    this.keyBytes = this.#key.publicKey(kind !== "p2pkh-uncompressed");
    this.publicKey = this.keyBytes.toString("hex");
    this.keyHash = hash160(this.keyBytes);
    this.address = addressOf(kind, this.keyHash);
  }

  sign(message: string, options: SigningOptions = {}): string {
    return this.signatureBytes(message, options).toString("base64");
  }

  /**
   * 65 bytes.
   * @param options.has a condition that the signature must meet
   */
  signatureBytes(
    message: string,
    { header = HEADERS[this.kind], highS = false, has = isOrdinary }: SigningOptions = {},
  ): Buffer {
    const digest = messageDigest(message);
    for (let attempt = 0; ; attempt++) {
      const { r, s, isOdd } = this.#key.sign(digest, attempt, highS);
      const rs = Buffer.concat([bytes32(r), bytes32(s)]);
      if (has(rs)) return Buffer.concat([Buffer.of(header + Number(isOdd)), rs]);
    }
  }

  fields(qr: string, changes: Partial<Fields> = {}): Fields {
    return { pubk: this.publicKey, msg: qr, sig: this.sign(qr), addr: this.address, ...changes };
  }
}

function addressOf(kind: AddressKind, keyHash: Uint8Array): string {
  if (kind === "p2wpkh") return segwitAddress("bc", 0, keyHash);
  if (kind !== "p2sh-p2wpkh") return base58Check(0x00, keyHash);
  return base58Check(0x05, redeemScriptHash(keyHash));
}

/** The script pays to the witness program of the key's hash (BIP-141). */
export function redeemScriptHash(keyHash: Uint8Array): Uint8Array {
  return hash160(Buffer.concat([Buffer.of(0, keyHash.length), keyHash]));
}

// BIP-13, BIP-173, BIP-350. The kit never parses an address.

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** The checksum is the first four bytes of the double SHA-256 of version and payload. */
export function base58Check(version: number, payload: Uint8Array, checksumOff = 0): string {
  const body = Buffer.concat([Buffer.of(version), payload]);
  const sum = Buffer.from(sha256(sha256(body)).subarray(0, 4));
  sum[3] = ((sum[3] ?? 0) + checksumOff) & 0xff;
  return base58.encode(Buffer.concat([body, sum]));
}

export function segwitAddress(
  prefix: string,
  version: number,
  program: Uint8Array,
  { checksum = version === 0 ? "bech32" : "bech32m" }: { checksum?: "bech32" | "bech32m" } = {},
): string {
  const { encode, toWords } = checksum === "bech32" ? bech32 : bech32m;
  return encode(prefix, [version, ...toWords(program)]);
}
