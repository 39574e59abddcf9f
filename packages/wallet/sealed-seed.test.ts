import { hkdfSync, scryptSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectedWalletError, PHRASE } from "./payload.fixture.ts";
import {
  createPassphraseProtection,
  derivePassphraseKey,
  derivePrfKey,
  generatePrfSalts,
  type PrfProtection,
  requireLongPassphrase,
  sealSeed,
  unsealSeed,
} from "./sealed-seed.ts";
import { seedFromPhrase } from "./seed.ts";

const PASSPHRASE = "correct horse battery";
const CHEAP = { n: 16 };
const output = () => new Uint8Array(32).fill(7);
const seed = await seedFromPhrase(PHRASE);

async function sealedByPassphrase(passphrase = PASSPHRASE, protection = createPassphraseProtection(CHEAP)) {
  const key = await derivePassphraseKey(passphrase, protection);
  return sealSeed(seed.slice(), key, protection);
}

async function sealedByPrf() {
  const protection: PrfProtection = { by: "prf", credentialId: "ab".repeat(16), ...generatePrfSalts() };
  return sealSeed(seed.slice(), derivePrfKey(output(), protection), protection);
}

describe("a sealed seed", () => {
  test("opens only with the passphrase that sealed it", async () => {
    const sealed = await sealedByPassphrase(" Crème brûlée à deux ".normalize("NFD"));
    const key = (passphrase: string) => derivePassphraseKey(passphrase, sealed.protection);
    expect(await unsealSeed(sealed, await key("Crème brûlée à deux".normalize("NFC")))).toEqual(seed);
    const wrong = await key("Crème brûlée à trois");
    await expect(unsealSeed(sealed, wrong)).rejects.toEqual(expectedWalletError("unseal_failed"));
  });

  test("opens only with the biometric PRF that sealed it", async () => {
    const sealed = await sealedByPrf();
    expect(await unsealSeed(sealed, derivePrfKey(output(), sealed.protection))).toEqual(seed);
    const other = derivePrfKey(new Uint8Array(32).fill(8), sealed.protection);
    await expect(unsealSeed(sealed, other)).rejects.toEqual(expectedWalletError("unseal_failed"));
  });

  test("can be stored as JSON, and contains neither the seed nor the seed phrase", async () => {
    const sealed = await sealedByPrf();
    const text = JSON.stringify(sealed);
    expect(await unsealSeed(JSON.parse(text), derivePrfKey(output(), sealed.protection))).toEqual(seed);
    expect(text).not.toContain("abandon");
    expect(text).not.toContain(Buffer.from(seed).toString("hex"));
  });

  test("differs completely from a second seal of the same seed with the same key", async () => {
    const { protection, sealed: first } = await sealedByPassphrase();
    const { sealed: second } = await sealedByPassphrase(PASSPHRASE, protection);
    expect(first.iv).not.toBe(second.iv);
    expect(first.ciphertext).not.toBe(second.ciphertext);
  });

  test("wipes the seed and the key from memory after use", async () => {
    const protection = createPassphraseProtection(CHEAP);
    const [given, key] = [seed.slice(), await derivePassphraseKey(PASSPHRASE, protection)];
    const sealed = await sealSeed(given, key, protection);
    const wrong = new Uint8Array(32).fill(1);
    await expect(unsealSeed(sealed, wrong)).rejects.toEqual(expectedWalletError("unseal_failed"));
    expect([...given, ...key, ...wrong].every((byte) => byte === 0)).toBe(true);
  });

  test("does not open if any byte has changed", async () => {
    const { protection, sealed } = await sealedByPassphrase();
    const key = await derivePassphraseKey(PASSPHRASE, protection);
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
        await expect(unsealSeed(changed, key.slice())).rejects.toEqual(expectedWalletError("unseal_failed"));
      }),
      { numRuns: 60 },
    );
  });
});

test.each([{ n: 2 ** 24 }, { n: 3 }, { r: 64 }, { p: 32 }, { r: 16, p: 16 }])(
  "refuses a cost that would stall the device: %j",
  async (cost) => {
    const protection = createPassphraseProtection({ ...CHEAP, ...cost });
    await expect(derivePassphraseKey(PASSPHRASE, protection)).rejects.toEqual(
      expectedWalletError("seal_malformed"),
    );
  },
);

test("requires a passphrase of at least ten characters, without white space around it", () => {
  expect(() => requireLongPassphrase("   short     ")).toThrow(expectedWalletError("passphrase_short"));
  expect(requireLongPassphrase("long enough")).toBe("long enough");
});

test("derives the same key from a passphrase and a PRF output on every device", async () => {
  const salt = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  const protection = { by: "passphrase", salt: salt.toString("hex"), n: 1024, r: 8, p: 1 } as const;
  const key = Buffer.from(await derivePassphraseKey(PASSPHRASE, protection));
  expect(key).toEqual(scryptSync(PASSPHRASE, salt, 32, { N: 1024, r: 8, p: 1 }));
  const derived = hkdfSync("sha256", output(), salt, "svc-wallet seed 1", 32);
  expect(derivePrfKey(output(), protection)).toEqual(new Uint8Array(derived));
});
