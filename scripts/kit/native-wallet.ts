import { hash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";

/** The part of `libsecp256k1/bindings` that signs; the package has no types of its own. */
type Bindings = {
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, secret: Uint8Array): { signature: Uint8Array };
  signatureExport(signature: Uint8Array): Uint8Array;
};

const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");

/** A wallet of one random key that signs natively: the measured processors should not be busy with wallets. */
export class NativeWallet {
  readonly #secret = randomBytes(32);
  /** Uncompressed, lower-case hex. */
  readonly publicKey = Buffer.from(bindings.publicKeyCreate(this.#secret, false)).toString("hex");
  /** Compressed, lower-case hex. */
  readonly compressedKey = Buffer.from(bindings.publicKeyCreate(this.#secret, true)).toString("hex");

  /** Hex DER over SHA-256 of a text. */
  sign(text: string): string {
    return this.signDigest(hash("sha256", text, "buffer"));
  }

  /** Hex DER over 32 bytes. */
  signDigest(digest: Uint8Array): string {
    return Buffer.from(bindings.signatureExport(this.signRaw(digest))).toString("hex");
  }

  /** r and s, 32 bytes each, over 32 bytes. */
  signRaw(digest: Uint8Array): Uint8Array {
    return bindings.ecdsaSign(digest, this.#secret).signature;
  }

  /** The body that a wallet posts for a challenge (docs/protocol.md#15-wallet-response). */
  response(challenge: string) {
    return {
      public_key: this.publicKey,
      signature: this.sign(challenge),
      challenge,
      timestamp: Math.floor(Date.now() / 1000),
      device_info: { platform: "ios", version: "1.2.3", device_id: "bench" },
    };
  }
}
