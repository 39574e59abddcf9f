import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";

const { Fn, BASE } = secp256k1.Point;

/** The order of the group: r and s are below it. */
export const ORDER = secp256k1.Point.CURVE().n;

export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

type Nonce = { inverse: bigint; r: bigint; isOdd: boolean };
const nonces: Nonce[] = [];

/**
 * Returns one of this process's nonces, which are reused, so that a thousand signatures cost as much as ten did. Reuse
 * reveals the keys, but they exist for one run and protect nothing.
 */
function nonceAt(index: number): Nonce {
  while (nonces.length <= index) {
    const scalar = Fn.fromBytes(secp256k1.utils.randomSecretKey());
    const { x, y } = BASE.multiply(scalar).toAffine();
    // The first has ordinary length, so that a site which refuses all others fails one check and not most of them.
    if (nonces.length === 0 && x >> 247n === 0n) continue;
    nonces.push({ inverse: Fn.inv(scalar), r: Fn.create(x), isOdd: (y & 1n) === 1n });
  }
  return nonces[index] as Nonce;
}

/** A random key. It shares no code with a site, because a mistake in shared code would go unnoticed. */
export class SigningKey {
  readonly #bytes = secp256k1.utils.randomSecretKey();
  readonly #secret = Fn.fromBytes(this.#bytes);

  publicKey(isCompressed: boolean): Buffer {
    return Buffer.from(secp256k1.getPublicKey(this.#bytes, isCompressed));
  }

  /**
   * r and s over a 32-byte digest (SEC 1, 4.1.3), and whether the point of r has an odd y.
   * @param attempt a different number produces a different signature
   */
  sign(digest: Uint8Array, attempt = 0, highS = false): { r: bigint; s: bigint; isOdd: boolean } {
    const { inverse, r, isOdd } = nonceAt(attempt);
    const number = Fn.create(BigInt(`0x${Buffer.from(digest).toString("hex")}`));
    const s = Fn.mul(inverse, Fn.add(number, Fn.mul(r, this.#secret)));
    const isNegated = s > ORDER / 2n !== highS;
    return { r, s: isNegated ? ORDER - s : s, isOdd: isOdd !== isNegated };
  }
}
