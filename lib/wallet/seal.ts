import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { WalletError } from "./wallet-error.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Bytes under lock: AES-256-GCM, both parts in hex. */
export type Sealed = { iv: string; ciphertext: string };

/**
 * Seals a secret with AES-256-GCM under a key that a person's act gives: a biometric's (`prf-key`) or a
 * passphrase's (`passphrase-key`). A fresh random IV each time.
 * @param key 32 bytes; the caller wipes it
 * @param context what the secret is for and how its key is made: bound to the result, not hidden
 */
export async function seal(secret: Uint8Array, key: Uint8Array, context: string): Promise<Sealed> {
  const iv = randomBytes(IV_BYTES);
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, context),
    await importKey(key, "encrypt"),
    Uint8Array.from(secret),
  );
  return { iv: bytesToHex(iv), ciphertext: bytesToHex(new Uint8Array(sealed)) };
}

/**
 * Opens what `seal` made.
 * @returns the secret; the caller wipes it
 * @throws WalletError `unseal_failed` when the key or context is another, or a byte was changed
 */
export async function unseal(
  { iv, ciphertext }: Sealed,
  key: Uint8Array,
  context: string,
): Promise<Uint8Array> {
  try {
    const secret = await crypto.subtle.decrypt(
      parameters(hexToBytes(iv), context),
      await importKey(key, "decrypt"),
      Uint8Array.from(hexToBytes(ciphertext)),
    );
    return new Uint8Array(secret);
  } catch {
    throw new WalletError("unseal_failed", "This does not open the wallet. Nothing was signed.");
  }
}

function parameters(iv: Uint8Array, context: string): AesGcmParams {
  return { name: "AES-GCM", iv: Uint8Array.from(iv), additionalData: Uint8Array.from(utf8ToBytes(context)) };
}

function importKey(key: Uint8Array, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  if (key.length !== KEY_BYTES) throw new Error("a sealing key has 32 bytes");
  return crypto.subtle.importKey("raw", Uint8Array.from(key), "AES-GCM", false, [usage]);
}
