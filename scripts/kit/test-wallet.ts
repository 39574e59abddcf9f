import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** The body of a wallet response (docs/protocol.md#15-wallet-response). */
export type WalletResponseBody = {
  public_key: string;
  signature: string;
  challenge: string;
  timestamp: number;
  device_info: { platform: string; version: string; device_id: string };
  /** Sent where a test names it: a wallet that knows the specification alone sends none. */
  intent?: unknown;
};

/** A wallet of one random key, written apart from the application's own. */
export class TestWallet {
  readonly #secret = secp256k1.utils.randomSecretKey();
  /** Uncompressed, lower-case hex. */
  readonly publicKey = bytesToHex(secp256k1.getPublicKey(this.#secret, false));

  /** The first 8 bytes of SHA-256 over the uncompressed key, in groups of four. */
  fingerprint(): string {
    const digits = bytesToHex(sha256(hexToBytes(this.publicKey))).slice(0, 16);
    return digits.replace(/(.{4})(?=.)/g, "$1 ");
  }

  /** Hex DER over SHA-256 of `text`. */
  sign(text: string): string {
    const signature = secp256k1.sign(sha256(utf8ToBytes(text)), this.#secret, {
      prehash: false,
      format: "der",
    });
    return bytesToHex(signature);
  }

  /** What the wallet posts for a challenge. */
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
