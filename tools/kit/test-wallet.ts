import { hash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { bech32, createBase58check } from "@scure/base";

/**
 * Wallets that share no code with the application's, because code that creates and checks signatures with the same
 * mistake would agree with itself. They sign in native code, so that they use little of a benchmark's CPU time.
 */

/** The part of `libsecp256k1/bindings` that signs; the package has no types. */
type Bindings = {
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, secret: Uint8Array): { signature: Uint8Array; recid: number };
  signatureExport(signature: Uint8Array): Uint8Array;
};

const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");
const sha256 = (data: string | Uint8Array) => hash("sha256", data, "buffer");

/** One random key. */
export class Key {
  readonly #secret = randomBytes(32);

  /** The point, as bytes. */
  point(compressed: boolean): Uint8Array {
    return bindings.publicKeyCreate(this.#secret, compressed);
  }

  /** Signs 32 bytes: r and s, 32 bytes each, and the recovery number of the point with that r. */
  sign(digest: Uint8Array): { signature: Uint8Array; recid: number } {
    return bindings.ecdsaSign(digest, this.#secret);
  }
}

/** The body of a wallet response (docs/protocol.md#15-wallet-response). */
type WalletResponseBody = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  device_info: { platform: string; version: string; device_id: string };
  /** Sent only if a test sets it, because a wallet may omit it. */
  intent?: unknown;
};

/** A wallet that answers codes of login and hosted login. */
export class TestWallet {
  readonly #key = new Key();
  /** Uncompressed, lower-case hex. */
  readonly publicKey = toHex(this.#key.point(false));

  /** Compressed, lower-case hex. */
  get compressedKey(): string {
    return toHex(this.#key.point(true));
  }

  /** The first 8 bytes of SHA-256 over the uncompressed key, in groups of four. */
  fingerprint(): string {
    const digits = sha256(Buffer.from(this.publicKey, "hex")).toString("hex").slice(0, 16);
    return digits.replace(/(.{4})(?=.)/g, "$1 ");
  }

  /** Hex DER over SHA-256 of `text`. */
  sign(text: string): string {
    return this.signDigest(sha256(text));
  }

  /** Hex DER over 32 bytes. */
  signDigest(digest: Uint8Array): string {
    return toHex(bindings.signatureExport(this.signRaw(digest)));
  }

  /** r and s, 32 bytes each, over 32 bytes. */
  signRaw(digest: Uint8Array): Uint8Array {
    return this.#key.sign(digest).signature;
  }

  /** The body that the wallet posts for a challenge. */
  response(
    challenge: string,
    changes: Partial<Record<keyof WalletResponseBody, unknown>> = {},
  ): WalletResponseBody {
    return {
      public_key: this.publicKey,
      signature: this.sign(challenge),
      challenge,
      timestamp: Math.floor(Date.now() / 1000),
      device_info: { platform: "ios", version: "1.2.3", device_id: "device-1" },
      ...changes,
    } as WalletResponseBody;
  }
}

/** The fields of a fast response (docs/protocol.md#62-get-and-post-apifastauth). */
export type SignedFields = { pubk: string; msg: string; sig: string; addr: string };

/** The first header byte of each of BIP-137's types, and of Electrum's way of signing for segwit addresses. */
const HEADERS = {
  "p2pkh-uncompressed": 27,
  p2pkh: 31,
  "electrum-p2sh": 31,
  "electrum-p2wpkh": 31,
  "p2sh-p2wpkh": 35,
  p2wpkh: 39,
};
export type FastType = keyof typeof HEADERS;

/** A Bitcoin wallet that answers fast login. */
export class FastWallet {
  readonly #key = new Key();
  readonly type: FastType;
  readonly address: string;
  /** Hex, in the form that the address hashes. */
  readonly publicKey: string;

  constructor(type: FastType = "p2wpkh") {
    const point = this.#key.point(type !== "p2pkh-uncompressed");
    this.type = type;
    this.address = addressOf(type, point);
    this.publicKey = toHex(point);
  }

  /** Base64 of header, r and s over Bitcoin's hash of a message. `header` replaces the type's own first header byte. */
  sign(message: string, header = HEADERS[this.type]): string {
    const { signature, recid } = this.#key.sign(messageDigest(message));
    return Buffer.from([header + recid, ...signature]).toString("base64");
  }

  /** The body that the wallet sends for a QR URL. */
  fields(qr: string, changes: Partial<SignedFields> = {}): SignedFields {
    return { pubk: this.publicKey, msg: qr, sig: this.sign(qr), addr: this.address, ...changes };
  }
}

/** Double SHA-256 over the prefix and the message, each preceded by its length (messages below 253 or 65536). */
function messageDigest(message: string): Uint8Array {
  const bytes = Buffer.from(message);
  const length = bytes.length < 253 ? [bytes.length] : [0xfd, bytes.length & 0xff, bytes.length >> 8];
  const prefix = "Bitcoin Signed Message:\n";
  return sha256(sha256(Buffer.from([prefix.length, ...Buffer.from(prefix), ...length, ...bytes])));
}

function addressOf(type: FastType, point: Uint8Array): string {
  const keyHash = hash160(point);
  if (type.endsWith("p2wpkh") && !type.startsWith("p2sh")) {
    return bech32.encode("bc", [0, ...bech32.toWords(keyHash)]);
  }
  const bytes = type.startsWith("p2pkh")
    ? [0, ...keyHash]
    : [5, ...hash160(Uint8Array.of(0, 20, ...keyHash))];
  return createBase58check(sha256).encode(Uint8Array.from(bytes));
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
