import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { PassphraseProtection } from "./passphrase-key.ts";
import type { PrfProtection } from "./prf-key.ts";
import { WalletError } from "./wallet-error.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Bytes under lock: AES-256-GCM, both parts in hex. */
type Sealed = { iv: string; ciphertext: string };

/**
 * Seals a secret with AES-256-GCM under a key that a person's act gives: a biometric's (`prf-key`) or a
 * passphrase's (`passphrase-key`). A fresh random IV each time.
 * @param key 32 bytes; the caller wipes it
 * @param context what the secret is for and how its key is made: bound to the result, not hidden
 */
async function seal(secret: Uint8Array, key: Uint8Array, context: string): Promise<Sealed> {
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
async function unseal({ iv, ciphertext }: Sealed, key: Uint8Array, context: string): Promise<Uint8Array> {
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

/** What has to be done to open a seed. */
export type Protection = PassphraseProtection | PrfProtection;

/** A seed as it may be kept: nobody can use it without the act that its protection names. */
export type SealedSeed = { protection: Protection; sealed: Sealed };

const SEED_BYTES = 64;

/**
 * Seals the 64 bytes of a BIP-39 phrase. The seed and not the phrase: what is kept can sign for its owner,
 * and never tell the words again.
 * @param key 32 bytes, from `prfKey` or `passphraseKey`; wiped here, as is `seed`
 */
export async function sealSeed(
  seed: Uint8Array,
  key: Uint8Array,
  protection: Protection,
): Promise<SealedSeed> {
  try {
    return { protection, sealed: await seal(seed, key, contextOf(protection)) };
  } finally {
    seed.fill(0);
    key.fill(0);
  }
}

/**
 * Opens a sealed seed.
 * @param key wiped here
 * @returns 64 bytes; the caller wipes them when the act is done
 * @throws WalletError `unseal_failed`
 */
export async function unsealSeed({ protection, sealed }: SealedSeed, key: Uint8Array): Promise<Uint8Array> {
  try {
    const seed = await unseal(sealed, key, contextOf(protection));
    if (seed.length === SEED_BYTES) return seed;
    throw new WalletError("seal_malformed", "What was sealed here is not a wallet's seed.");
  } finally {
    key.fill(0);
  }
}

/**
 * Reads a sealed seed from what was stored, strictly.
 * @throws WalletError `seal_malformed`
 */
export function readSealedSeed(stored: unknown): SealedSeed {
  const protection = readProtection(field(stored, "protection"));
  const sealed = field(stored, "sealed");
  const [iv, ciphertext] = [hex(sealed, "iv"), hex(sealed, "ciphertext")];
  if (!protection || iv === null || ciphertext === null) {
    throw new WalletError("seal_malformed", "What is kept here is not a sealed wallet.");
  }
  return { protection, sealed: { iv, ciphertext } };
}

function readProtection(stored: unknown): Protection | null {
  const salt = hex(stored, "salt");
  if (salt === null) return null;
  if (field(stored, "by") === "prf") {
    const [credentialId, prfSalt] = [hex(stored, "credentialId"), hex(stored, "prfSalt")];
    return credentialId !== null && prfSalt !== null ? { by: "prf", credentialId, prfSalt, salt } : null;
  }
  const [n, r, p] = [field(stored, "n"), field(stored, "r"), field(stored, "p")];
  if (field(stored, "by") !== "passphrase" || !isCount(n) || !isCount(r) || !isCount(p)) return null;
  return { by: "passphrase", salt, n, r, p };
}

/** Whoever changes how a seed is protected must not get it to open. */
function contextOf(protection: Protection): string {
  const parts =
    protection.by === "prf"
      ? [protection.by, protection.credentialId, protection.prfSalt, protection.salt]
      : [protection.by, protection.salt, protection.n, protection.r, protection.p];
  return `svc-wallet seed 1:${parts.join(":")}`;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function hex(value: unknown, name: string): string | null {
  const text = field(value, name);
  return typeof text === "string" && /^(?:[0-9a-f]{2}){8,2048}$/.test(text) ? text : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
