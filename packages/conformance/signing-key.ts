import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const { Point } = secp256k1;
const { Fn, BASE } = Point;

/** The order of the group: r and s are below it. */
export const ORDER = Point.CURVE().n;

export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/**
 * Returns a source of scalars with their points. The first pair is random. The others are found by adding 1 and the
 * base point, which takes a tenth of the time of a multiplication. Anyone can derive these secrets from each other, but
 * they exist for one run and protect nothing.
 */
function pairs() {
  let scalar = Fn.fromBytes(secp256k1.utils.randomSecretKey());
  let point = BASE.multiply(scalar);
  return () => {
    scalar = Fn.add(scalar, 1n);
    // The affine form makes every later use cheap.
    point = Point.fromAffine(point.add(BASE).toAffine());
    return { scalar, point };
  };
}

const nextKey = pairs();
const nextNonce = pairs();

type Nonce = { inverse: bigint; r: bigint; isOdd: boolean };
const nonces: Nonce[] = [];

/** Returns one of this process's nonces, which are reused, so that a thousand signatures cost as much as ten did. */
function nonceAt(index: number): Nonce {
  while (nonces.length <= index) {
    const { scalar, point } = nextNonce();
    // The first nonce has ordinary length, so that a site which refuses all others fails one check and not most.
    if (nonces.length === 0 && point.x >> 247n === 0n) continue;
    nonces.push({ inverse: Fn.inv(scalar), r: Fn.create(point.x), isOdd: (point.y & 1n) === 1n });
  }
  return nonces[index] as Nonce;
}

/**
 * A random key that signs. This class shares no code with a site, because a mistake in shared code would go unnoticed.
 */
export class SigningKey {
  readonly #pair = nextKey();

  publicKey(isCompressed: boolean): Buffer {
    return Buffer.from(this.#pair.point.toBytes(isCompressed));
  }

  /**
   * Returns r and s over a 32-byte digest (SEC 1, 4.1.3), and whether the point of r has an odd y.
   * @param attempt a different number produces a different signature
   */
  sign(digest: Uint8Array, attempt = 0, highS = false): { r: bigint; s: bigint; isOdd: boolean } {
    const { inverse, r, isOdd } = nonceAt(attempt);
    const number = Fn.create(BigInt(`0x${Buffer.from(digest).toString("hex")}`));
    const s = Fn.mul(inverse, Fn.add(number, Fn.mul(r, this.#pair.scalar)));
    const isNegated = s > ORDER / 2n !== highS;
    return { r, s: isNegated ? ORDER - s : s, isOdd: isOdd !== isNegated };
  }
}
