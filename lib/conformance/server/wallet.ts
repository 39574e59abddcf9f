import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { encodeDer, type Scalars } from "./der.ts";

/** The order of the group: r and s are below it. */
export const ORDER = secp256k1.Point.CURVE().n;

export type WalletResponse = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  device_info?: Record<string, unknown>;
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const text = (value: string) => Buffer.from(value, "utf8");
export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** A wallet of one random key. It shares no code with any site: what signs and checks alike proves nothing. */
export class Wallet {
  readonly #secretKey = secp256k1.utils.randomSecretKey();
  /** Uncompressed, lower-case hex. */
  readonly publicKey = hex(secp256k1.getPublicKey(this.#secretKey, false));
  readonly compressedKey = hex(secp256k1.getPublicKey(this.#secretKey, true));

  /** r and s over a 32-byte digest, s low. @param attempt another number makes another signature */
  signDigest(digest: Uint8Array, attempt = 0): Scalars {
    const extraEntropy = new Uint8Array(32).fill(attempt & 0xff);
    extraEntropy[0] = attempt >> 8;
    const compact = secp256k1.sign(digest, this.#secretKey, { prehash: false, extraEntropy });
    const { r, s } = secp256k1.Signature.fromBytes(compact);
    return { r, s };
  }

  /** r and s over SHA-256 of a text. */
  scalars(challenge: string, attempt = 0): Scalars {
    return this.signDigest(sha256(text(challenge)), attempt);
  }

  /** A signature with a property that only some have, by trying. */
  findScalars(challenge: string, has: (scalars: Scalars) => boolean): Scalars {
    for (let attempt = 0; ; attempt++) {
      const scalars = this.scalars(challenge, attempt);
      if (has(scalars)) return scalars;
    }
  }

  /** Hex DER over SHA-256 of a text. */
  sign(challenge: string): string {
    return hex(encodeDer(this.scalars(challenge)));
  }

  /** What a wallet posts (docs/protocol.md#15-wallet-response). */
  response(challenge: string, changes: Partial<Record<keyof WalletResponse, unknown>> = {}): WalletResponse {
    return {
      public_key: this.publicKey,
      signature: this.sign(challenge),
      challenge,
      timestamp: Math.floor(Date.now() / 1000),
      device_info: { platform: "conformance", version: "1.0.0", device_id: "conformance" },
      ...changes,
    } as WalletResponse;
  }
}
