import bitcoinMessage from "bitcoinjs-message";
import { describe, expect, test } from "vitest";
import {
  type AddressKind,
  BitcoinWallet,
  base58Check,
  ELECTRUM_HEADER,
  HEADERS,
  messageDigest,
  segwitAddress,
} from "./bitcoin-wallet.ts";

const KINDS = Object.keys(HEADERS) as AddressKind[];
const MESSAGES = ["", "x", "ü 😀", "a".repeat(252), "a".repeat(253), "a".repeat(400)];

describe("the kit's wallet", () => {
  test("hashes the same bytes as bitcoinjs-message", () => {
    for (const message of MESSAGES) {
      expect(messageDigest(message).toString("hex")).toBe(bitcoinMessage.magicHash(message).toString("hex"));
    }
  });

  test.each(KINDS)(
    "creates signatures that bitcoinjs-message accepts only for their message and address: %s",
    (kind) => {
      const wallet = new BitcoinWallet(kind);
      for (const message of MESSAGES) {
        for (const highS of [false, true]) {
          const sig = wallet.sign(message, { highS });
          expect(bitcoinMessage.verify(message, wallet.address, sig)).toBe(true);
          expect(bitcoinMessage.verify(`${message}!`, wallet.address, sig)).toBe(false);
          expect(bitcoinMessage.verify(message, new BitcoinWallet(kind).address, sig)).toBe(false);
        }
      }
    },
  );

  test.each(["p2sh-p2wpkh", "p2wpkh"] as const)(
    "creates Electrum's signatures, which bitcoinjs-message accepts: %s",
    (kind) => {
      const wallet = new BitcoinWallet(kind);
      const sig = wallet.sign("x", { header: ELECTRUM_HEADER });
      expect(bitcoinMessage.verify("x", wallet.address, sig, undefined, true)).toBe(true);
    },
  );
});

test("can create a signature whose s begins with a zero byte", () => {
  const wallet = new BitcoinWallet();
  const bytes = wallet.signatureBytes("x", { has: (rs) => rs[32] === 0 });
  expect([bytes.length, bytes[33]]).toEqual([65, 0]);
  expect(bitcoinMessage.verify("x", wallet.address, bytes)).toBe(true);
});

/** The hash of the curve's generator point, which many published examples use. */
const G_HASH = Buffer.from("751e76e8199196d454941c45d1b3a323f1433bd6", "hex");

test.each([
  [segwitAddress("bc", 0, G_HASH), "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  [segwitAddress("tb", 0, G_HASH), "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
  [base58Check(0x00, G_HASH), "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"],
  [base58Check(0x00, Buffer.alloc(20)), "1111111111111111111114oLvT2"],
  // A test vector from BIP-350 for a witness version above 0.
  [
    segwitAddress("bc", 2, Buffer.from("751e76e8199196d454941c45d1b3a323", "hex")),
    "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
  ],
])("encodes every type of address: %s", (written, expected) => {
  expect(written).toBe(expected);
});
