import { hash, randomBytes } from "node:crypto";
import { NONCE_LENGTH } from "../protocol/numbers.ts";

let block = Buffer.alloc(0);

/** Draws 4 KB at a time, because each call to the system's generator is expensive. */
function drawBytes(count: number): Buffer {
  if (block.length < count) block = randomBytes(4096);
  const drawn = block.subarray(0, count);
  block = block.subarray(count);
  return drawn;
}

/** 32 uniformly random characters of [A-Za-z0-9] (190 bits; docs/protocol.md#11-challenge). */
export function generateNonce(): string {
  // On average, two of the 64 characters are a plus or a slash. The probability that fewer than 32 characters remain is
  // below 10^-30.
  return drawBytes(48).toString("base64").replace(/[+/]/g, "").slice(0, NONCE_LENGTH);
}

/** 128 random bits in base64url. More bits would make the QR code denser (decision 0100). */
export function generateSessionId(): string {
  return drawBytes(16).toString("base64url");
}

/** 256 random bits in base64url, for a browser's cookie (docs/protocol.md#41-the-binding-cookie). */
export function generateSecret(): string {
  return drawBytes(32).toString("base64url");
}

/** 128 random bits in base64url, for a known-browser cookie or the secret in an undo URL. */
export function generateRandomToken(): string {
  return drawBytes(16).toString("base64url");
}

/** The same string always gives the same UUID. */
export function deriveUuid(text: string): string {
  return hash("sha256", text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** SHA-256. The database stores the hash instead of the secret. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  // Converting via hex takes half as long as copying the hash's bytes from outside V8.
  return Buffer.from(hash("sha256", secret, "hex"), "hex");
}
