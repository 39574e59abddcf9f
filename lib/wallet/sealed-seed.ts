import type { PassphraseProtection } from "./passphrase-key.ts";
import type { PrfProtection } from "./prf-key.ts";
import { type Sealed, seal, unseal } from "./seal.ts";
import { WalletError } from "./wallet-error.ts";

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
