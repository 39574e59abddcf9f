import { hkdfSync, scryptSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PHRASE, refusal } from "./payload.fixture.ts";
import {
  checkPassphrase,
  makePassphraseProtection,
  makePrfSalts,
  type PrfProtection,
  passphraseKey,
  prfKey,
  sealSeed,
  unsealSeed,
} from "./sealed-seed.ts";
import { seedFromPhrase } from "./seed.ts";

const PASSPHRASE = "correct horse battery";
const CHEAP = { n: 16 };
const output = () => new Uint8Array(32).fill(7);
const seed = await seedFromPhrase(PHRASE);

async function sealedByPassphrase(passphrase = PASSPHRASE, protection = makePassphraseProtection(CHEAP)) {
  const key = await passphraseKey(passphrase, protection);
  return sealSeed(seed.slice(), key, protection);
}

async function sealedByPrf() {
  const protection: PrfProtection = { by: "prf", credentialId: "ab".repeat(16), ...makePrfSalts() };
  return sealSeed(seed.slice(), prfKey(output(), protection), protection);
}

describe("a sealed seed", () => {
  test("opens with the passphrase that sealed it, however a keyboard composes it, and with no other", async () => {
    const sealed = await sealedByPassphrase(" Crème brûlée à deux ".normalize("NFD"));
    const key = (passphrase: string) => passphraseKey(passphrase, sealed.protection);
    expect(await unsealSeed(sealed, await key("Crème brûlée à deux".normalize("NFC")))).toEqual(seed);
    const wrong = await key("Crème brûlée à trois");
    await expect(unsealSeed(sealed, wrong)).rejects.toEqual(refusal("unseal_failed"));
  });

  test("opens with the biometric's PRF that sealed it, and with no other", async () => {
    const sealed = await sealedByPrf();
    expect(await unsealSeed(sealed, prfKey(output(), sealed.protection))).toEqual(seed);
    const other = prfKey(new Uint8Array(32).fill(8), sealed.protection);
    await expect(unsealSeed(sealed, other)).rejects.toEqual(refusal("unseal_failed"));
  });

  test("survives being stored as JSON, and shows nothing of the seed or the words", async () => {
    const sealed = await sealedByPrf();
    const text = JSON.stringify(sealed);
    expect(await unsealSeed(JSON.parse(text), prfKey(output(), sealed.protection))).toEqual(seed);
    expect(text).not.toContain("abandon");
    expect(text).not.toContain(Buffer.from(seed).toString("hex"));
  });

  test("two seals of one seed under one key have nothing in common", async () => {
    const { protection, sealed: first } = await sealedByPassphrase();
    const { sealed: second } = await sealedByPassphrase(PASSPHRASE, protection);
    expect(first.iv).not.toBe(second.iv);
    expect(first.ciphertext).not.toBe(second.ciphertext);
  });

  test("wipes the seed and the key that went in, also when it does not open", async () => {
    const protection = makePassphraseProtection(CHEAP);
    const [given, key] = [seed.slice(), await passphraseKey(PASSPHRASE, protection)];
    const sealed = await sealSeed(given, key, protection);
    const wrong = new Uint8Array(32).fill(1);
    await expect(unsealSeed(sealed, wrong)).rejects.toEqual(refusal("unseal_failed"));
    expect([...given, ...key, ...wrong].every((byte) => byte === 0)).toBe(true);
  });

  test("with any one byte changed, of its text or of how it is protected, does not open", async () => {
    const { protection, sealed } = await sealedByPassphrase();
    const key = await passphraseKey(PASSPHRASE, protection);
    const parts: Record<string, string> = { ...sealed, salt: protection.salt };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(parts)), fc.nat(), async (name, place) => {
        const bytes = Buffer.from(parts[name] ?? "", "hex");
        bytes.writeUInt8(bytes.readUInt8(place % bytes.length) ^ 1, place % bytes.length);
        const change = { [name]: bytes.toString("hex") };
        const changed =
          name === "salt"
            ? { sealed, protection: { ...protection, ...change } }
            : { sealed: { ...sealed, ...change }, protection };
        await expect(unsealSeed(changed, key.slice())).rejects.toEqual(refusal("unseal_failed"));
      }),
      { numRuns: 60 },
    );
  });
});

test.each([{ n: 2 ** 24 }, { n: 3 }, { r: 64 }, { p: 32 }, { r: 16, p: 16 }])(
  "a cost of %j would stall the device, and is refused",
  async (cost) => {
    const protection = makePassphraseProtection({ ...CHEAP, ...cost });
    await expect(passphraseKey(PASSPHRASE, protection)).rejects.toEqual(refusal("seal_malformed"));
  },
);

test("a new passphrase has ten characters, white space at its ends not counted", () => {
  expect(() => checkPassphrase("   short     ")).toThrow(refusal("passphrase_short"));
  expect(checkPassphrase("long enough")).toBe("long enough");
});

test("the key of a passphrase and of a PRF output is the same on every device", async () => {
  const salt = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  const protection = { by: "passphrase", salt: salt.toString("hex"), n: 1024, r: 8, p: 1 } as const;
  const key = Buffer.from(await passphraseKey(PASSPHRASE, protection));
  expect(key).toEqual(scryptSync(PASSPHRASE, salt, 32, { N: 1024, r: 8, p: 1 }));
  const derived = hkdfSync("sha256", output(), salt, "svc-wallet seed 1", 32);
  expect(prfKey(output(), protection)).toEqual(new Uint8Array(derived));
});
