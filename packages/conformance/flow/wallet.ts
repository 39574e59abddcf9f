import { SigningKey, sha256 } from "../signing-key.ts";

/** DER (X.690), correctly or with deliberate errors. */

export type Scalars = { r: bigint; s: bigint };

export function encodeDer({ r, s }: Scalars): Buffer {
  return sequence(integer(r), integer(s));
}

/** The length is in its shortest form. */
export function encodeTlv(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}

export const sequence = (...contents: Uint8Array[]) => encodeTlv(0x30, ...contents);
export const integer = (value: bigint) => encodeTlv(0x02, signedBytes(value));
/** Exactly these bytes, even if they do not form a valid INTEGER. */
export const integerOf = (...bytes: Uint8Array[]) => encodeTlv(0x02, ...bytes);

export function toUnsignedBytes(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, "hex");
}

function signedBytes(value: bigint): Buffer {
  const bytes = toUnsignedBytes(value);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

export class Wallet {
  readonly #key = new SigningKey();
  /** Uncompressed, in lower-case hex. */
  readonly publicKey = this.#key.publicKey(false).toString("hex");
  readonly compressedKey = this.#key.publicKey(true).toString("hex");

  signDigest(digest: Uint8Array, attempt = 0): Scalars {
    return this.#key.sign(digest, attempt);
  }

  scalars(challenge: string, attempt = 0): Scalars {
    return this.signDigest(sha256(challenge), attempt);
  }

  /** For a condition that most signatures do not meet. */
  findScalars(challenge: string, condition: (scalars: Scalars) => boolean): Scalars {
    for (let attempt = 0; ; attempt++) {
      const scalars = this.scalars(challenge, attempt);
      if (condition(scalars)) return scalars;
    }
  }

  sign(challenge: string): string {
    return encodeDer(this.scalars(challenge)).toString("hex");
  }

  /** docs/protocol.md#15-wallet-response. */
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
