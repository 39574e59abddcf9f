import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPassphrase, makePassphraseProtection, passphraseKey } from "./passphrase-key.ts";
import { makePrfSalts, type PrfProtection, prfKey } from "./prf-key.ts";
import { readSealedSeed, sealSeed, unsealSeed } from "./sealed-seed.ts";
import { seedFromPhrase } from "./seed.ts";

const refusal = (code: string) => expect.objectContaining({ name: "WalletError", code });
const PHRASE = `${"abandon ".repeat(11)}about`;
const CHEAP = { n: 16 };
const output = () => new Uint8Array(32).fill(7);

async function sealedByPassphrase(passphrase = "correct horse battery") {
  const protection = makePassphraseProtection(CHEAP);
  return sealSeed(await seedFromPhrase(PHRASE), await passphraseKey(passphrase, protection), protection);
}

async function sealedByPrf() {
  const protection: PrfProtection = { by: "prf", credentialId: "ab".repeat(16), ...makePrfSalts() };
  return sealSeed(await seedFromPhrase(PHRASE), prfKey(output(), protection), protection);
}

describe("a sealed seed", () => {
  test("opens with the passphrase that sealed it, however a keyboard composes it", async () => {
    const sealed = await sealedByPassphrase(" Crème brûlée à deux ".normalize("NFD"));
    if (sealed.protection.by !== "passphrase") throw new Error("expected a passphrase");
    const key = await passphraseKey("Crème brûlée à deux".normalize("NFC"), sealed.protection);
    expect(await unsealSeed(sealed, key)).toEqual(await seedFromPhrase(PHRASE));
  });

  test("opens with the biometric's PRF that sealed it, and with no other", async () => {
    const sealed = await sealedByPrf();
    if (sealed.protection.by !== "prf") throw new Error("expected a PRF");
    expect(await unsealSeed(sealed, prfKey(output(), sealed.protection))).toEqual(
      await seedFromPhrase(PHRASE),
    );
    const other = prfKey(new Uint8Array(32).fill(8), sealed.protection);
    await expect(unsealSeed(sealed, other)).rejects.toEqual(refusal("unseal_failed"));
  });

  test("does not open with another passphrase", async () => {
    const sealed = await sealedByPassphrase();
    if (sealed.protection.by !== "passphrase") throw new Error("expected a passphrase");
    const key = await passphraseKey("correct horse batterz", sealed.protection);
    await expect(unsealSeed(sealed, key)).rejects.toEqual(refusal("unseal_failed"));
  });

  test("survives being stored as JSON, and shows nothing of the seed or the words", async () => {
    const text = JSON.stringify(await sealedByPrf());
    const stored = readSealedSeed(JSON.parse(text));
    expect(text).not.toContain("abandon");
    expect(text).not.toContain("5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1");
    if (stored.protection.by !== "prf") throw new Error("expected a PRF");
    expect((await unsealSeed(stored, prfKey(output(), stored.protection))).length).toBe(64);
  });

  test("two seals of one seed under one key have nothing in common", async () => {
    const protection = makePassphraseProtection(CHEAP);
    const seal = async () =>
      sealSeed(await seedFromPhrase(PHRASE), await passphraseKey("correct horse", protection), protection);
    const [first, second] = [await seal(), await seal()];
    expect(first.sealed.iv).not.toBe(second.sealed.iv);
    expect(first.sealed.ciphertext).not.toBe(second.sealed.ciphertext);
  });

  test("wipes the seed and the key that went in, also when it does not open", async () => {
    const protection = makePassphraseProtection(CHEAP);
    const seed = await seedFromPhrase(PHRASE);
    const key = await passphraseKey("correct horse", protection);
    const sealed = await sealSeed(seed, key, protection);
    expect([...seed, ...key].every((byte) => byte === 0)).toBe(true);
    const wrong = new Uint8Array(32).fill(1);
    await expect(unsealSeed(sealed, wrong)).rejects.toEqual(refusal("unseal_failed"));
    expect(wrong.every((byte) => byte === 0)).toBe(true);
  });

  test("with any one byte changed, of its text or of how it is protected, does not open", async () => {
    const sealed = await sealedByPassphrase();
    const { protection } = sealed;
    if (protection.by !== "passphrase") throw new Error("expected a passphrase");
    const key = await passphraseKey("correct horse battery", protection);
    const flip = (hex: string, at: number) =>
      hex.slice(0, at) + ((Number.parseInt(hex[at] ?? "0", 16) ^ 1) & 15).toString(16) + hex.slice(at + 1);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("iv", "ciphertext", "salt"), fc.nat(), async (part, place) => {
        const changed =
          part === "salt"
            ? { ...sealed, protection: { ...protection, salt: flip(protection.salt, place % 32) } }
            : part === "iv"
              ? { ...sealed, sealed: { ...sealed.sealed, iv: flip(sealed.sealed.iv, place % 24) } }
              : {
                  ...sealed,
                  sealed: { ...sealed.sealed, ciphertext: flip(sealed.sealed.ciphertext, place % 160) },
                };
        await expect(unsealSeed(changed, key.slice())).rejects.toEqual(refusal("unseal_failed"));
      }),
      { numRuns: 60 },
    );
  });
});

describe("what is stored is read strictly", () => {
  test.each([
    ["nothing", null],
    ["a phrase", { phrase: PHRASE }],
    ["no protection", { sealed: { iv: "00".repeat(12), ciphertext: "00".repeat(80) } }],
    ["another protection", { protection: { by: "pin", salt: "00".repeat(16) }, sealed: {} }],
    ["text for numbers", { protection: { by: "passphrase", salt: "00".repeat(16), n: "16", r: 8, p: 1 } }],
  ])("%s is refused", (_, stored) => {
    expect(() => readSealedSeed(stored)).toThrow(refusal("seal_malformed"));
  });

  test.each([{ n: 2 ** 24 }, { n: 3 }, { r: 64 }, { p: 32 }, { r: 16, p: 16 }])(
    "a cost of %j would stall the device, and is refused",
    async (cost) => {
      const protection = makePassphraseProtection({ ...CHEAP, ...cost });
      await expect(passphraseKey("correct horse", protection)).rejects.toEqual(refusal("seal_malformed"));
    },
  );
});

test("a new passphrase has ten characters, white space at its ends not counted", () => {
  expect(() => checkPassphrase("   short     ")).toThrow(refusal("passphrase_short"));
  expect(checkPassphrase("long enough")).toBe("long enough");
});

test("the key of a passphrase and of a PRF output is the same on every device", async () => {
  const salt = "00112233445566778899aabbccddeeff";
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const { scryptSync, hkdfSync } = await import("node:crypto");
  const bytes = Buffer.from(salt, "hex");
  expect(hex(await passphraseKey("correct horse", { by: "passphrase", salt, n: 1024, r: 8, p: 1 }))).toBe(
    hex(scryptSync("correct horse", bytes, 32, { N: 1024, r: 8, p: 1 })),
  );
  expect(hex(prfKey(output(), { salt }))).toBe(
    hex(new Uint8Array(hkdfSync("sha256", output(), bytes, "svc-wallet seed 1", 32))),
  );
});
