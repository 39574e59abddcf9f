import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkPhrase } from "#lib/wallet/seed.ts";
import { openSeedFile, SeedFileError } from "./seed-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wallet seed "));
});
afterAll(() => rm(folder, { recursive: true }));

test("the first use makes a file that only its owner can read, later uses read it", async () => {
  const path = join(folder, "new", "deep", "seed.json");
  const first = await openSeedFile(path);
  expect(first).toMatchObject({ created: true, readableByOthers: false });
  expect(checkPhrase(first.phrase)).toBe(first.phrase);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await openSeedFile(path)).toEqual({ ...first, created: false });
});

test("of many first uses at once all get one phrase, and one of them made it", async () => {
  const path = join(folder, "race", "seed.json");
  const opened = await Promise.all(Array.from({ length: 20 }, () => openSeedFile(path)));
  expect(new Set(opened.map(({ phrase }) => phrase)).size).toBe(1);
  expect(opened.filter(({ created }) => created)).toHaveLength(1);
  expect(await readdir(join(folder, "race"))).toEqual(["seed.json"]);
});

test("a file that others can read is said so", async () => {
  const path = join(folder, "open.json");
  await openSeedFile(path);
  await chmod(path, 0o644);
  expect(await openSeedFile(path)).toMatchObject({ readableByOthers: true });
});

test.each(["", "{}", "null", '{"format":2,"phrase":"x","installation":"y"}', '{"format":1,"phrase":7}'])(
  "a file that holds %j is refused and left as it is",
  async (text) => {
    const path = join(folder, "other.json");
    await writeFile(path, text);
    await expect(openSeedFile(path)).rejects.toThrow(SeedFileError);
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

test("a place that cannot be written is told in words", async () => {
  await expect(openSeedFile(folder)).rejects.toThrow(/^The seed file cannot be used/);
});
