import { hexToBytes } from "@noble/hashes/utils.js";
import bitcoinMessage from "bitcoinjs-message";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ADDRESS_TYPES,
  type AddressType,
  computeMessageDigest,
  deriveAddress,
  signMessage,
} from "./bitcoin-address.ts";
import { expectedWalletError } from "./payload.fixture.ts";
import vectors from "./vectors.json" with { type: "json" };

const seed = hexToBytes(vectors.seed);

test("derives a different address for each account and type", () => {
  const addresses = ADDRESS_TYPES.flatMap((type) =>
    [0, 1, 2_147_483_647].map((account) => deriveAddress(seed, type, account).address),
  );
  expect(new Set(addresses).size).toBe(9);
});

test.each([-1, 0.5, 2_147_483_648, Number.NaN])(
  "rejects an account that is not a valid index: %s",
  (account) => {
    expect(() => deriveAddress(seed, "p2wpkh", account)).toThrow(expectedWalletError("account_malformed"));
  },
);

// BIP-84's own vector, and the addresses that any wallet shows for this phrase.
test("derives the addresses in the test vectors for wallet authors", () => {
  for (const { type, account, path, address, public_key, signature } of vectors.addresses) {
    const key = deriveAddress(seed, type as AddressType);
    expect(key).toMatchObject({ type, account, path, address, publicKey: public_key });
    expect(signMessage(vectors.fast_url, key).sig).toBe(signature);
  }
});

test.each(ADDRESS_TYPES)("creates a signature that a second implementation verifies: %s", (type) => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(1000), (message, account) => {
      const { sig, addr, msg } = signMessage(message, deriveAddress(seed, type, account));
      expect(msg).toBe(message);
      expect(bitcoinMessage.verify(message, addr, sig)).toBe(true);
      expect(bitcoinMessage.verify(`${message}.`, addr, sig)).toBe(false);
    }),
    { numRuns: 20 },
  );
});

test("computes Bitcoin's message digest even if the length is encoded in three bytes", () => {
  for (const message of ["", "Virès is Numéris", "x".repeat(252), "x".repeat(253), "é".repeat(2000)]) {
    expect(Buffer.from(computeMessageDigest(message))).toEqual(bitcoinMessage.magicHash(message));
  }
});
