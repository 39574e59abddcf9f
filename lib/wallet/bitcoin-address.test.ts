import { hexToBytes } from "@noble/hashes/utils.js";
import bitcoinMessage from "bitcoinjs-message";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ADDRESS_TYPES,
  type AddressType,
  deriveAddress,
  messageDigest,
  signMessage,
} from "./bitcoin-address.ts";
import { refusal } from "./payload.fixture.ts";
import vectors from "./vectors.json" with { type: "json" };

const seed = hexToBytes(vectors.seed);

// BIP-84's own vectors, and what any wallet shows for this phrase.
test.each([
  ["p2wpkh", "m/84'/0'/0'/0/0", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
  ["p2sh-p2wpkh", "m/49'/0'/0'/0/0", "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"],
  ["p2pkh", "m/44'/0'/0'/0/0", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"],
] as const)("the address of the phrase is the standard one: %s at %s", (type, path, address) => {
  expect(deriveAddress(seed, type)).toMatchObject({ type, account: 0, path, address });
});

test("the public key is the one that BIP-84 names", () => {
  expect(deriveAddress(seed, "p2wpkh").publicKey).toBe(
    "0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c",
  );
});

test("addresses differ by account and by type", () => {
  const addresses = ADDRESS_TYPES.flatMap((type) =>
    [0, 1, 2_147_483_647].map((account) => deriveAddress(seed, type, account).address),
  );
  expect(new Set(addresses).size).toBe(9);
});

test.each([-1, 0.5, 2_147_483_648, Number.NaN])("there is no account %s", (account) => {
  expect(() => deriveAddress(seed, "p2wpkh", account)).toThrow(refusal("account_malformed"));
});

test("the vectors that wallets are built against hold", () => {
  for (const { type, account, path, address, public_key, signature } of vectors.addresses) {
    const key = deriveAddress(seed, type as AddressType, account);
    expect([key.path, key.address, key.publicKey]).toEqual([path, address, public_key]);
    expect(signMessage(vectors.fast_url, key).sig).toBe(signature);
  }
});

test.each(ADDRESS_TYPES)(
  "a signature of %s verifies in another implementation, for this message alone",
  (type) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(1000), (message, account) => {
        const { sig, addr, msg } = signMessage(message, deriveAddress(seed, type, account));
        expect(msg).toBe(message);
        expect(bitcoinMessage.verify(message, addr, sig)).toBe(true);
        expect(bitcoinMessage.verify(`${message}.`, addr, sig)).toBe(false);
      }),
      { numRuns: 20 },
    );
  },
);

test("the digest is Bitcoin's, also where the length takes three bytes", () => {
  for (const message of ["", "Virès is Numéris", "x".repeat(252), "x".repeat(253), "é".repeat(2000)]) {
    expect(Buffer.from(messageDigest(message))).toEqual(bitcoinMessage.magicHash(message));
  }
});
