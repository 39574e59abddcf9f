import { SigningKey, sha256 } from "../signing-key.ts";
import { encodeDer, type Scalars } from "./der.ts";

/** A wallet for login with keys. */
export class Wallet {
  readonly #key = new SigningKey();
  /** Uncompressed, lower-case hex. */
  readonly publicKey = this.#key.publicKey(false).toString("hex");
  readonly compressedKey = this.#key.publicKey(true).toString("hex");

  signDigest(digest: Uint8Array, attempt = 0): Scalars {
    return this.#key.sign(digest, attempt);
  }

  scalars(challenge: string, attempt = 0): Scalars {
    return this.signDigest(sha256(challenge), attempt);
  }

  /** Tries signatures until one has a property that only some have. */
  findScalars(challenge: string, has: (scalars: Scalars) => boolean): Scalars {
    for (let attempt = 0; ; attempt++) {
      const scalars = this.scalars(challenge, attempt);
      if (has(scalars)) return scalars;
    }
  }

  sign(challenge: string): string {
    return encodeDer(this.scalars(challenge)).toString("hex");
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
