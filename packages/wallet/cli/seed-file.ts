import { chmod, link, mkdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { createPassphraseProtection, derivePassphraseKey, sealSeed, unsealSeed } from "../sealed-seed.ts";
import { generateRecoveryPhrase, seedFromPhrase } from "../seed.ts";
import { WalletError } from "../wallet-error.ts";
import { generateInstallationId } from "../wallet-response.ts";
import type { PassphraseSource } from "./passphrase.ts";

export type SeedFileContent = {
  /** 64 bytes. */
  seed: Uint8Array;
  /** Created once for this file. It is never sent, but the wallet's `device_id`s are derived from it. */
  installation: string;
};

export type SeedFile = SeedFileContent & {
  /** The phrase is shown only this once. Null if the file existed. */
  created: { phrase: string } | null;
  sealed: boolean;
  readableByOthers: boolean;
};

export type SeedFileOptions = {
  passphrase: PassphraseSource;
  /** Create a new file without a passphrase. */
  unsealed: boolean;
  /** Create a new file without a passphrase even in a non-interactive run, which otherwise creates none. */
  unattended: boolean;
};

/** `message` says what to do. */
export class SeedFileError extends Error {}

const Hex = z.string().regex(/^(?:[0-9a-f]{2}){8,2048}$/);
const Count = z.int().positive();
const StoredFile = z.discriminatedUnion("format", [
  // Format 1 is for tests and demonstrations.
  z.object({ format: z.literal(1), phrase: z.string(), installation: z.string() }),
  z.object({
    format: z.literal(2),
    installation: z.string(),
    seed: z.object({
      protection: z.object({ by: z.literal("passphrase"), salt: Hex, n: Count, r: Count, p: Count }),
      sealed: z.object({ iv: Hex, ciphertext: Hex }),
    }),
  }),
]);
type StoredFile = z.infer<typeof StoredFile>;

/**
 * The file is JSON, mode 0600, sealed with a passphrase. If it does not exist, it is created with a new phrase. Two
 * wallets that start at the same time use the same phrase. An unsealed file that others can read is refused.
 * @throws SeedFileError if the file cannot be read, written, parsed or opened
 */
export async function openSeedFile(path: string, keeper: SeedFileOptions): Promise<SeedFile> {
  return inWords(async () => {
    const stored = await readSeedFile(path);
    if (stored) return openStored(path, stored, keeper, null);
    const phrase = generateRecoveryPhrase();
    const createdFile = await createSeedFile(path, await makeFile(path, phrase, keeper));
    const existingFile = await readSeedFile(path);
    if (existingFile) return openStored(path, existingFile, keeper, createdFile ? { phrase } : null);
    throw new SeedFileError(`${path} disappeared while it was being created. Try again.`);
  });
}

/**
 * @param phrase the result of `parseRecoveryPhrase`
 * @throws SeedFileError if the file already exists, or cannot be written
 */
export async function restoreSeedFile(
  path: string,
  phrase: string,
  keeper: SeedFileOptions,
): Promise<boolean> {
  return inWords(async () => {
    const file = await makeFile(path, phrase, keeper);
    if (await createSeedFile(path, file)) return file.format === 2;
    throw new SeedFileError(`${path} already contains a wallet. Choose another path with --seed-file.`);
  });
}

/**
 * Afterwards, the file no longer contains the phrase.
 * @throws SeedFileError if the file does not exist or is already sealed, or if the run is non-interactive and has no
 * passphrase
 */
export async function sealSeedFile(path: string, keeper: SeedFileOptions): Promise<void> {
  await inWords(async () => {
    const stored = await readSeedFile(path);
    if (!stored) throw new SeedFileError(`There is no seed file at ${path}.`);
    if (stored.format === 2) throw new SeedFileError(`${path} is sealed already.`);
    const sealed = await makeFile(
      path,
      stored.phrase,
      { ...keeper, unsealed: false, unattended: false },
      stored.installation,
    );
    await rename(await writeDraft(path, sealed), path);
  });
}

async function openStored(
  path: string,
  file: StoredFile,
  { passphrase }: SeedFileOptions,
  created: SeedFile["created"],
): Promise<SeedFile> {
  const { installation } = file;
  const readableByOthers = await isReadableByOthers(path);
  if (file.format === 1) {
    if (readableByOthers) throw readableUnsealed(path);
    const seed = await seedFromPhrase(file.phrase);
    return { seed, installation, created, sealed: false, readableByOthers };
  }
  const { protection } = file.seed;
  const passphraseOrNull = await passphrase.toOpen();
  if (passphraseOrNull === null) throw passphraseUnavailable(path);
  const seed = await unsealSeed(file.seed, await derivePassphraseKey(passphraseOrNull, protection));
  return { seed, installation, created, sealed: true, readableByOthers };
}

async function makeFile(
  path: string,
  phrase: string,
  { passphrase, unsealed, unattended }: SeedFileOptions,
  installation = generateInstallationId(),
): Promise<StoredFile> {
  const passphraseOrNull = unsealed ? null : await passphrase.toSeal();
  if (passphraseOrNull === null && !unsealed && !unattended) throw passphraseUnavailable(path);
  if (passphraseOrNull === null) return { format: 1, phrase, installation };
  const protection = createPassphraseProtection();
  const key = await derivePassphraseKey(passphraseOrNull, protection);
  return { format: 2, installation, seed: await sealSeed(await seedFromPhrase(phrase), key, protection) };
}

async function readSeedFile(path: string): Promise<StoredFile | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  try {
    return StoredFile.parse(JSON.parse(text));
  } catch {
    throw new SeedFileError(`${path} is not a seed file of this wallet. Choose another with --seed-file.`);
  }
}

/** False if another process created the file first. */
async function createSeedFile(path: string, file: StoredFile): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Linking a complete file into place means that no process reads half a file. It fails if a file already exists, so
  // no phrase is ever overwritten.
  const draft = await writeDraft(path, file);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function writeDraft(path: string, file: StoredFile): Promise<string> {
  const draft = `${path}.${bytesToHex(randomBytes(6))}`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  await chmod(draft, 0o600);
  return draft;
}

async function inWords<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SeedFileError) throw error;
    if (error instanceof WalletError && error.code === "unseal_failed") {
      throw new SeedFileError("This passphrase does not open the seed file.");
    }
    if (error instanceof Error && !("syscall" in error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SeedFileError(`The seed file cannot be used: ${reason}`);
  }
}

function passphraseUnavailable(path: string): SeedFileError {
  return new SeedFileError(
    `${path} needs a passphrase: set WALLET_PASSPHRASE, or run this in a terminal to be asked for it. --unsealed creates a new file without one.`,
  );
}

function readableUnsealed(path: string): SeedFileError {
  return new SeedFileError(
    `${path} is not sealed, and other users can read it. Anyone who has read it has these keys. If no one has, run: chmod 600 '${path}'`,
  );
}

async function isReadableByOthers(path: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
