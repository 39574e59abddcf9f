import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { encodeDer, type Scalars } from "./der.ts";

/** The order of the group: r and s are below it. */
export const ORDER = secp256k1.Point.CURVE().n;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const text = (value: string) => Buffer.from(value, "utf8");
export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

const { Fn, BASE } = secp256k1.Point;

type Nonce = { inverse: bigint; r: bigint; isOdd: boolean };
const nonces: Nonce[] = [];

/**
 * One of the nonces of this process, which are used again and again: a thousand signatures then cost what ten did. That
 * gives the keys away. They exist for one run and protect nothing.
 */
export function nonceAt(index: number): Nonce {
  while (nonces.length <= index) {
    const scalar = Fn.fromBytes(secp256k1.utils.randomSecretKey());
    const { x, y } = BASE.multiply(scalar).toAffine();
    // The first is of ordinary length, so that a site which takes no other fails one check and not most.
    if (nonces.length === 0 && x >> 247n === 0n) continue;
    nonces.push({ inverse: Fn.inv(scalar), r: Fn.create(x), isOdd: (y & 1n) === 1n });
  }
  return nonces[index] as Nonce;
}

/** A wallet with a random key. It shares no code with any site, because a mistake in shared code would go unnoticed. */
export class Wallet {
  readonly #secret: bigint;
  /** Uncompressed, lower-case hex. */
  readonly publicKey: string;
  readonly compressedKey: string;

  constructor() {
    const secretKey = secp256k1.utils.randomSecretKey();
    this.#secret = Fn.fromBytes(secretKey);
    this.publicKey = hex(secp256k1.getPublicKey(secretKey, false));
    this.compressedKey = (/[02468ace]$/.test(this.publicKey) ? "02" : "03") + this.publicKey.slice(2, 66);
  }

  /** r and s over a 32-byte digest (SEC 1, 4.1.3), s low. @param attempt another number makes another signature */
  signDigest(digest: Uint8Array, attempt = 0): Scalars {
    const { inverse, r } = nonceAt(attempt);
    const s = Fn.mul(inverse, Fn.add(Fn.create(BigInt(`0x${hex(digest)}`)), Fn.mul(r, this.#secret)));
    return { r, s: s > ORDER / 2n ? ORDER - s : s };
  }

  scalars(challenge: string, attempt = 0): Scalars {
    return this.signDigest(sha256(text(challenge)), attempt);
  }

  /** Tries signatures until one has a property that only some have. */
  findScalars(challenge: string, has: (scalars: Scalars) => boolean): Scalars {
    for (let attempt = 0; ; attempt++) {
      const scalars = this.scalars(challenge, attempt);
      if (has(scalars)) return scalars;
    }
  }

  sign(challenge: string): string {
    return hex(encodeDer(this.scalars(challenge)));
  }

  /** What a wallet posts (docs/protocol.md#15-wallet-response). */
  response(challenge: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      public_key: this.publicKey,
      signature: this.sign(challenge),
      challenge,
      timestamp: Math.floor(Date.now() / 1000),
      device_info: { platform: "conformance", version: "1.0.0", device_id: "conformance" },
      ...changes,
    };
  }
}
