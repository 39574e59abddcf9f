import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PHRASE } from "../payload.fixture.ts";
import * as sealing from "../sealed-seed.ts";
import { parseRecoveryPhrase, seedFromPhrase } from "../seed.ts";
import {
  openSeedFile,
  restoreSeedFile,
  SeedFileError,
  type SeedFileOptions,
  sealSeedFile,
} from "./seed-file.ts";

const keeper = (passphrase: string | null, unsealed = false): SeedFileOptions => ({
  unsealed,
  unattended: true,
  passphrase: { toOpen: async () => passphrase, toSeal: async () => passphrase },
});
const withoutPassphrase = keeper(null);

const { createPassphraseProtection } = sealing;

let folder = "";
beforeEach(async () => {
  // The real cost of deriving a key would take a second each time.
  vi.spyOn(sealing, "createPassphraseProtection").mockImplementation(() =>
    createPassphraseProtection({ n: 1024 }),
  );
  folder = await mkdtemp(join(tmpdir(), "wallet seed "));
});
afterEach(() => rm(folder, { recursive: true }));

test("creates an unsealed file that only its owner can read", async () => {
  const path = join(folder, "new", "deep", "seed.json");
  const first = await openSeedFile(path, withoutPassphrase);
  expect(first).toMatchObject({ sealed: false, readableByOthers: false });
  const phrase = first.created?.phrase ?? "";
  expect(parseRecoveryPhrase(phrase)).toBe(phrase);
  expect(first.seed).toEqual(await seedFromPhrase(phrase));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await openSeedFile(path, withoutPassphrase)).toEqual({ ...first, created: null });
  // This is what `--unsealed` does in a terminal.
  const unsealed = await openSeedFile(join(folder, "ci.json"), keeper("correct horse battery", true));
  expect(unsealed).toMatchObject({ sealed: false });
});

test("refuses to create an unsealed file unless it was requested", async () => {
  const path = join(folder, "new", "seed.json");
  const attendedOptions = { ...withoutPassphrase, unattended: false };
  await expect(openSeedFile(path, attendedOptions)).rejects.toThrow(/WALLET_PASSPHRASE.*--unsealed/);
  await expect(restoreSeedFile(path, PHRASE, attendedOptions)).rejects.toThrow(/--unsealed/);
  expect(await readdir(folder)).toEqual([]);
  expect(await openSeedFile(path, { ...attendedOptions, unsealed: true })).toMatchObject({ sealed: false });
  expect(await openSeedFile(path, attendedOptions)).toMatchObject({ sealed: false, created: null });
});

test("seals the seed with a passphrase on first use", async () => {
  const path = join(folder, "sealed.json");
  const first = await openSeedFile(path, keeper("correct horse battery"));
  expect(first.sealed).toBe(true);
  const text = await readFile(path, "utf8");
  expect(text).not.toContain(first.created?.phrase);
  expect(text).not.toContain(Buffer.from(first.seed).toString("hex").slice(0, 32));
  const again = await openSeedFile(path, keeper("correct horse battery"));
  expect(again).toEqual({ ...first, created: null });
  await expect(openSeedFile(path, keeper("another passphrase"))).rejects.toThrow(/does not open/);
  await expect(openSeedFile(path, withoutPassphrase)).rejects.toThrow(/WALLET_PASSPHRASE/);
});

test("restores the keys from a seed phrase, but never overwrites another wallet", async () => {
  const path = join(folder, "restored.json");
  expect(await restoreSeedFile(path, PHRASE, withoutPassphrase)).toBe(false);
  expect((await openSeedFile(path, withoutPassphrase)).seed).toEqual(await seedFromPhrase(PHRASE));
  await expect(restoreSeedFile(path, PHRASE, withoutPassphrase)).rejects.toThrow(/already contains a wallet/);
});

test("seals an unsealed file in place with the same keys", async () => {
  const path = join(folder, "to-seal.json");
  const before = await openSeedFile(path, withoutPassphrase);
  await expect(sealSeedFile(path, withoutPassphrase)).rejects.toThrow(/WALLET_PASSPHRASE/);
  await sealSeedFile(path, keeper("correct horse battery"));
  const after = await openSeedFile(path, keeper("correct horse battery"));
  expect(after).toEqual({ ...before, created: null, sealed: true });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(sealSeedFile(path, keeper("x"))).rejects.toThrow(/sealed already/);
  await expect(sealSeedFile(join(folder, "none.json"), withoutPassphrase)).rejects.toThrow(/no seed file/);
});

test("creates only one seed for many simultaneous first uses", async () => {
  const path = join(folder, "race", "seed.json");
  const openedSeeds = await Promise.all(
    Array.from({ length: 20 }, () => openSeedFile(path, withoutPassphrase)),
  );
  expect(new Set(openedSeeds.map(({ seed }) => seed.join())).size).toBe(1);
  expect(openedSeeds.filter(({ created }) => created)).toHaveLength(1);
  expect(await readdir(join(folder, "race"))).toEqual(["seed.json"]);
});

test.each([0o644, 0o640, 0o604, 0o660])(
  "refuses an unsealed file that other users can read: mode %o",
  async (mode) => {
    const path = join(folder, "open.json");
    const { seed } = await openSeedFile(path, withoutPassphrase);
    await chmod(path, mode);
    await expect(openSeedFile(path, withoutPassphrase)).rejects.toThrow(`chmod 600 '${path}'`);
    await chmod(path, 0o600);
    expect((await openSeedFile(path, withoutPassphrase)).seed).toEqual(seed);
  },
);

test("opens a sealed file that other users can read, with a warning", async () => {
  const path = join(folder, "open.json");
  await openSeedFile(path, keeper("correct horse battery"));
  await chmod(path, 0o644);
  expect(await openSeedFile(path, keeper("correct horse battery"))).toMatchObject({ readableByOthers: true });
});

test.each([
  "",
  "{}",
  "null",
  '{"format":2,"phrase":"x","installation":"y"}',
  '{"format":2,"seed":{},"installation":"y"}',
  '{"format":2,"seed":{"protection":{"by":"prf"},"sealed":{"iv":"00","ciphertext":"00"}},"installation":"y"}',
  '{"format":1,"phrase":7}',
])("refuses a file with invalid contents and leaves it unchanged: %j", async (text) => {
  const path = join(folder, "other.json");
  await writeFile(path, text);
  await expect(openSeedFile(path, withoutPassphrase)).rejects.toThrow(SeedFileError);
  expect(await readFile(path, "utf8")).toBe(text);
});

test("explains why it cannot write to a folder", async () => {
  await expect(openSeedFile(folder, withoutPassphrase)).rejects.toThrow(/^The seed file cannot be used/);
});
