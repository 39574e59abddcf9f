import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { deriveAddress } from "./derive-address.ts";
import vectors from "./vectors.json" with { type: "json" };

const seed = hexToBytes(vectors.seed);

describe("an address of the phrase", () => {
  // BIP-84's own vectors, and what any wallet shows for this phrase.
  test.each([
    ["p2wpkh", 0, "m/84'/0'/0'/0/0", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
    ["p2sh-p2wpkh", 0, "m/49'/0'/0'/0/0", "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"],
    ["p2pkh", 0, "m/44'/0'/0'/0/0", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"],
  ] as const)("is the standard one: %s of account %i at %s", (type, account, path, address) => {
    expect(deriveAddress(seed, type, account)).toMatchObject({ type, account, path, address });
  });

  test("has the public key that BIP-84 names", () => {
    expect(deriveAddress(seed, "p2wpkh").publicKey).toBe(
      "0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c",
    );
  });

  test("differs by account and by type", () => {
    const addresses = (["p2wpkh", "p2sh-p2wpkh", "p2pkh"] as const).flatMap((type) =>
      [0, 1, 2_147_483_647].map((account) => deriveAddress(seed, type, account).address),
    );
    expect(new Set(addresses).size).toBe(9);
  });

  test.each([-1, 0.5, 2_147_483_648, Number.NaN])("has no account %s", (account) => {
    expect(() => deriveAddress(seed, "p2wpkh", account)).toThrow(
      expect.objectContaining({ code: "account_malformed" }),
    );
  });

  test("is in the vectors that wallets are built against", () => {
    for (const { type, account, path, address, public_key } of vectors.addresses) {
      const key = deriveAddress(seed, type as "p2wpkh", account);
      expect([key.path, key.address, key.publicKey]).toEqual([path, address, public_key]);
    }
  });
});
