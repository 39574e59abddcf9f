import { chmod, link, mkdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";
import { makeInstallation } from "#lib/wallet/device-info.ts";
import { makePhrase } from "#lib/wallet/seed.ts";

/** What the command-line wallet keeps. */
export type StoredSeed = {
  /** BIP-39 phrase. */
  phrase: string;
  /** Made once for this file; the source of its `device_id`s, never sent itself. */
  installation: string;
};

/** A seed file, and what its holder should hear about it. */
export type OpenedSeed = StoredSeed & { created: boolean; readableByOthers: boolean };

/** The seed file cannot be used; `message` says what to do. */
export class SeedFileError extends Error {}

const FORMAT = 1;

/**
 * Opens the wallet's seed file: JSON, mode 0600, unsealed. A file that is not there is made with a new
 * phrase; of two wallets started at once both get the same one.
 * @throws SeedFileError when it cannot be read, written or understood
 */
export async function openSeedFile(path: string): Promise<OpenedSeed> {
  try {
    const stored = await readSeedFile(path);
    if (stored) return { ...stored, created: false, readableByOthers: await isReadableByOthers(path) };
    const created = await createSeedFile(path);
    const kept = await readSeedFile(path);
    if (kept) return { ...kept, created, readableByOthers: false };
    throw new SeedFileError(`${path} vanished while it was being made. Try again.`);
  } catch (error) {
    if (error instanceof SeedFileError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SeedFileError(`The seed file cannot be used: ${reason}`);
  }
}

async function readSeedFile(path: string): Promise<StoredSeed | null> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  });
  if (text === null) return null;
  const stored = parseSeedFile(text);
  if (!stored)
    throw new SeedFileError(`${path} is not a seed file of this wallet. Choose another with --seed-file.`);
  return stored;
}

function parseSeedFile(text: string): StoredSeed | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    if (!("format" in value) || value.format !== FORMAT) return null;
    if (!("phrase" in value) || typeof value.phrase !== "string") return null;
    if (!("installation" in value) || typeof value.installation !== "string") return null;
    return { phrase: value.phrase, installation: value.installation };
  } catch {
    return null;
  }
}

/** True when this call made the file, false when another process was first. */
async function createSeedFile(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const seed: StoredSeed = { phrase: makePhrase(), installation: makeInstallation() };
  // Written whole beside its place and then linked into it: nobody ever reads half a file, and
  // linking fails where one already stands, so that no phrase is ever overwritten.
  const draft = `${path}.${bytesToHex(randomBytes(6))}`;
  await writeFile(draft, `${JSON.stringify({ format: FORMAT, ...seed }, null, 2)}\n`, {
    flag: "wx",
    mode: 0o600,
  });
  try {
    await chmod(draft, 0o600);
    await link(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function isReadableByOthers(path: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
