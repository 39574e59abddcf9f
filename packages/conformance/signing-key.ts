import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const { Point } = secp256k1;
const { Fn, BASE } = Point;

/** Every r and s is smaller. */
export const ORDER = Point.CURVE().n;

export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/**
 * The first scalar is random, and each further scalar is one larger, so its point is the previous point plus the base
 * point. An addition takes a tenth of the time of a multiplication. Anyone who knows one of these secrets knows all of
 * them, but they exist for only one run and protect nothing.
 */
function pairs() {
  let scalar = Fn.fromBytes(secp256k1.utils.randomSecretKey());
  let point = BASE.multiply(scalar);
  return () => {
    scalar = Fn.add(scalar, 1n);
    // Later calculations with this point are fast, because it is affine.
    point = Point.fromAffine(point.add(BASE).toAffine());
    return { scalar, point };
  };
}

const nextKey = pairs();
const nextNonce = pairs();

type Nonce = { inverse: bigint; r: bigint; isOdd: boolean };
const nonces: Nonce[] = [];

/** Nonces are reused, because a thousand signatures then take no longer than ten. */
function nonceAt(index: number): Nonce {
  while (nonces.length <= index) {
    const { scalar, point } = nextNonce();
    // The r of the first nonce has the usual length. A site that refuses all other lengths then fails only the check
    // that tests lengths.
    if (nonces.length === 0 && point.x >> 247n === 0n) continue;
    nonces.push({ inverse: Fn.inv(scalar), r: Fn.create(point.x), isOdd: (point.y & 1n) === 1n });
  }
  return nonces[index] as Nonce;
}

/** Shares no code with any site: a mistake in shared code would not be noticed. */
export class SigningKey {
  readonly #pair = nextKey();

  publicKey(isCompressed: boolean): Buffer {
    return Buffer.from(this.#pair.point.toBytes(isCompressed));
  }

  /**
   * 32 bytes (SEC 1, 4.1.3). `isOdd`: the point with the x-coordinate r has an odd y.
   * @param attempt each number produces a different signature
   */
  sign(digest: Uint8Array, attempt = 0, highS = false): { r: bigint; s: bigint; isOdd: boolean } {
    const { inverse, r, isOdd } = nonceAt(attempt);
    const number = Fn.create(BigInt(`0x${Buffer.from(digest).toString("hex")}`));
    const s = Fn.mul(inverse, Fn.add(number, Fn.mul(r, this.#pair.scalar)));
    const isNegated = s > ORDER / 2n !== highS;
    return { r, s: isNegated ? ORDER - s : s, isOdd: isOdd !== isNegated };
  }
}
