import { hexToBytes } from "@noble/hashes/utils.js";
import bitcoinMessage from "bitcoinjs-message";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ADDRESS_TYPES, deriveAddress } from "./derive-address.ts";
import { messageDigest, signMessage } from "./sign-message.ts";
import vectors from "./vectors.json" with { type: "json" };

const seed = hexToBytes(vectors.seed);

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

test("the vectors that wallets are built against", () => {
  for (const { type, account, signature } of vectors.addresses) {
    const signed = signMessage(vectors.fast_url, deriveAddress(seed, type as "p2wpkh", account));
    expect(signed.sig).toBe(signature);
  }
});
