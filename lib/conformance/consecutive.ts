import { randomBytes } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";

/*
 * The keys of a process are consecutive, and so are its nonces, which are reused: so a thousand signatures cost what
 * ten did. This gives the keys away, but they are made for one run and protect nothing.
 */

const { Fn, BASE } = secp256k1.Point;

/** Consecutive numbers and their points. Each point costs an addition; that of a random number, a multiplication. */
export class Consecutive {
  scalar: bigint;
  point: typeof BASE;

  constructor() {
    this.scalar = BigInt(`0x${randomBytes(31).toString("hex")}`) + 1n;
    this.point = BASE.multiply(this.scalar);
  }

  next(): void {
    this.scalar += 1n;
    this.point = this.point.add(BASE);
  }
}

type Nonce = { inverse: bigint; r: bigint; isOdd: boolean };

const nonces: Nonce[] = [];
let nonce = new Consecutive();

/** One of the nonces of this process. */
export function nonceAt(index: number): Nonce {
  // The first is of ordinary length, so that a site which takes no other fails one check and not most.
  while (nonces.length === 0 && nonce.point.toAffine().x >> 247n === 0n) nonce = new Consecutive();
  while (nonces.length <= index) {
    const { x, y } = nonce.point.toAffine();
    nonces.push({ inverse: Fn.inv(nonce.scalar), r: Fn.create(x), isOdd: (y & 1n) === 1n });
    nonce.next();
  }
  return nonces[index] as Nonce;
}
