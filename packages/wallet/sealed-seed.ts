import { hkdf } from "@noble/hashes/hkdf.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { WalletError } from "./wallet-error.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** `protection` describes how to get the key that decrypts the seed. */
export type SealedSeed<By extends SeedProtection = SeedProtection> = {
  protection: By;
  /** In hex. */
  sealed: { iv: string; ciphertext: string };
};

export type SeedProtection = PassphraseProtection | PrfProtection;

/**
 * AES-256-GCM with a new random IV. The sealed data contains the 64-byte seed and not the phrase, so a wallet can sign
 * but can never show the phrase again.
 * @param key 32 bytes, from `derivePrfKey` or `derivePassphraseKey`; wiped here, as is `seed`
 * @param protection how to get the key; authenticated, but not encrypted
 */
export async function sealSeed<By extends SeedProtection>(
  seed: Uint8Array,
  key: Uint8Array,
  protection: By,
): Promise<SealedSeed<By>> {
  try {
    const iv = randomBytes(IV_BYTES);
    const cipher = await importKey(key, "encrypt");
    const sealed = await crypto.subtle.encrypt(parameters(iv, protection), cipher, Uint8Array.from(seed));
    return { protection, sealed: { iv: bytesToHex(iv), ciphertext: bytesToHex(new Uint8Array(sealed)) } };
  } finally {
    seed.fill(0);
    key.fill(0);
  }
}

/**
 * @param key wiped here
 * @returns 64 bytes, which the caller must wipe after use
 * @throws WalletError `unseal_failed` if the key is wrong, or if the protection or the sealed data was changed
 */
export async function unsealSeed({ protection, sealed }: SealedSeed, key: Uint8Array): Promise<Uint8Array> {
  try {
    const cipher = await importKey(key, "decrypt");
    const ciphertext = Uint8Array.from(hexToBytes(sealed.ciphertext));
    const iv = hexToBytes(sealed.iv);
    return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, protection), cipher, ciphertext));
  } catch {
    throw new WalletError("unseal_failed", "This does not open the wallet. Nothing was signed.");
  } finally {
    key.fill(0);
  }
}

function importKey(key: Uint8Array, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", Uint8Array.from(key), "AES-GCM", false, [usage]);
}

/** A seed whose protection was changed does not open. */
function parameters(iv: Uint8Array, protection: SeedProtection): AesGcmParams {
  const parts =
    protection.by === "prf"
      ? [protection.by, protection.credentialId, protection.prfSalt, protection.salt]
      : [protection.by, protection.salt, protection.n, protection.r, protection.p];
  const additionalData = Uint8Array.from(utf8ToBytes(`svc-wallet seed 1:${parts.join(":")}`));
  return { name: "AES-GCM", iv: Uint8Array.from(iv), additionalData };
}

/** With scrypt's cost below, this length makes it too expensive to guess the passphrase of stolen data. */
export const MIN_PASSPHRASE_CHARACTERS = 10;

/** scrypt's cost (OWASP's first choice): 128 MB, about half a second on a laptop. */
const COST = { n: 2 ** 17, r: 8, p: 1 };
/** A higher cost is refused: these wallets never use one, and it would only block the device. */
const MAX_COST = { n: 2 ** 20, r: 32, p: 16 };
const PASSPHRASE_SALT_BYTES = 16;

/** Stored with the sealed data. */
export type PassphraseProtection = { by: "passphrase"; salt: string; n: number; r: number; p: number };

/** Tests pass a lower `cost`, because the real one would take too long. */
export function createPassphraseProtection(cost: Partial<typeof COST> = {}): PassphraseProtection {
  return { by: "passphrase", salt: bytesToHex(randomBytes(PASSPHRASE_SALT_BYTES)), ...COST, ...cost };
}

/**
 * Long enough that even someone with the stolen data cannot guess the passphrase.
 * @throws WalletError `passphrase_short`
 */
export function requireLongPassphrase(passphrase: string): string {
  if (Array.from(passphrase.normalize("NFKC").trim()).length < MIN_PASSPHRASE_CHARACTERS) {
    throw new WalletError(
      "passphrase_short",
      `A passphrase must have at least ${MIN_PASSPHRASE_CHARACTERS} characters. Four unrelated words work well.`,
    );
  }
  return passphrase;
}

/**
 * 32 bytes from scrypt. The passphrase is trimmed and normalised (NFKC), so that every keyboard produces the same key.
 * @throws WalletError `seal_malformed` if the cost is invalid or higher than `MAX_COST`
 */
export async function derivePassphraseKey(
  passphrase: string,
  { salt, n, r, p }: PassphraseProtection,
): Promise<Uint8Array> {
  const isAffordable = n <= MAX_COST.n && r <= MAX_COST.r && p <= MAX_COST.p && r * p <= MAX_COST.r;
  if (!isAffordable || (n & (n - 1)) !== 0 || n < 2 || r < 1 || p < 1) {
    throw new WalletError("seal_malformed", "This wallet was sealed in a way that this version cannot open.");
  }
  const text = utf8ToBytes(passphrase.normalize("NFKC").trim());
  return await scryptAsync(text, hexToBytes(salt), { N: n, r, p, dkLen: KEY_BYTES, maxmem: 2 ** 31 });
}

const PRF_SALT_BYTES = 32;
const PRF_INFO = "svc-wallet seed 1";

/** For an authenticator's PRF, stored with the sealed data. All values are in hex. */
export type PrfProtection = {
  by: "prf";
  credentialId: string;
  /** WebAuthn Level 3, 10.1.4: `eval.first`. */
  prfSalt: string;
  /** For HKDF. */
  salt: string;
};

/** Called before the credential exists. */
export function generatePrfSalts(): Pick<PrfProtection, "prfSalt" | "salt"> {
  return { prfSalt: bytesToHex(randomBytes(PRF_SALT_BYTES)), salt: bytesToHex(randomBytes(PRF_SALT_BYTES)) };
}

/** 32 bytes from HKDF-SHA-256, so that no other use of the same PRF has this key. */
export function derivePrfKey(output: Uint8Array, { salt }: Pick<PrfProtection, "salt">): Uint8Array {
  return hkdf(sha256, output, hexToBytes(salt), utf8ToBytes(PRF_INFO), KEY_BYTES);
}
