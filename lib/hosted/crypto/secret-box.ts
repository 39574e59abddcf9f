import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts secrets for the database with AES-256-GCM (docs/protocol.md#56-events). The key is derived from
 * NEXTAUTH_SECRET with HKDF-SHA256, so a copy of only the database does not reveal the secrets. Layout, with lengths in
 * bytes: version (1), nonce (12), ciphertext, tag (16).
 */

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";

/** @param context an identifier that decryption must repeat, so that sealed values cannot be swapped between rows */
export function sealSecret(text: string, context: string, masterSecret: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(masterSecret), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, sealed, cipher.getAuthTag()]));
}

/** Null if the value was changed, or if the context or all master secrets are wrong. */
export function openSecret(
  box: Uint8Array,
  context: string,
  masterSecrets: readonly string[],
): string | null {
  for (const masterSecret of masterSecrets) {
    const text = openUnder(box, context, masterSecret);
    if (text !== null) return text;
  }
  return null;
}

function openUnder(box: Uint8Array, context: string, masterSecret: string): string | null {
  if (box[0] !== VERSION || box.length < 1 + NONCE_BYTES + TAG_BYTES) return null;
  const nonce = box.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, keyOf(masterSecret), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  try {
    const sealed = box.subarray(1 + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function keyOf(masterSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", masterSecret, "", "svc-login secret box v1", 32));
}
