import { randomBytes } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../../tools/kit/any-character.ts";
import { encodeBitcoinAddress, parseBitcoinAddress } from "./bitcoin-address.ts";

const base58check = createBase58check(sha256);
const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 });
/** The generator point, which BIP-173 and many other examples use as the key. */
const G = Buffer.from("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hex");

describe("an address", () => {
  test.each([
    ["p2pkh", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"],
    ["p2sh-p2wpkh", "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN"],
    ["p2wpkh", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ] as const)("is derived from a key and parsed again: %s", (kind, address) => {
    expect(encodeBitcoinAddress(kind, G)).toBe(address);
    expect(parseBitcoinAddress(address)).toEqual({ kind, text: address });
  });

  test("can be bech32 in upper case, which is parsed to lower case", () => {
    const text = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    expect(parseBitcoinAddress(text.toUpperCase())).toEqual({ kind: "p2wpkh", text });
  });

  test.each([
    ["P2TR", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
    ["P2WSH", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"],
    ["testnet P2WPKH", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["testnet P2PKH", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    ["testnet P2SH", "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc"],
    ["dogecoin", "DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE"],
    ["mixed case", "Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["bech32m for version 0", bech32m.encode("bc", [0, ...bech32m.toWords(new Uint8Array(20))])],
    ["bech32 for version 1", bech32.encode("bc", [1, ...bech32.toWords(new Uint8Array(20))])],
    ["a program of 19 bytes", bech32.encode("bc", [0, ...bech32.toWords(new Uint8Array(19))])],
    ["nonzero padding", bech32.encode("bc", [0, ...Array<number>(32).fill(0), 1])],
    ["a bech32 checksum off by one letter", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["a Base58 checksum off by one letter", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMJ"],
    ["a Base58 payload of 19 bytes", base58check.encode(new Uint8Array(20))],
    ["a Base58 payload of 21 bytes", base58check.encode(new Uint8Array(22))],
    ["a leading space", " 1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"],
    ["a trailing line", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH\n"],
    ["a look-alike letter", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAМH"],
    ["nothing", ""],
    ["a private key", "5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss"],
  ])("is refused: %s", (_what, text) => {
    expect(parseBitcoinAddress(text)).toBeNull();
  });

  test("is parsed to its canonical text", () => {
    fc.assert(
      fc.property(hashes, fc.constantFrom(0, 5), (hash, version) => {
        const text = base58check.encode(Uint8Array.of(version, ...hash));
        expect(parseBitcoinAddress(text)?.text).toBe(text);
      }),
    );
    fc.assert(
      fc.property(hashes, (hash) => {
        const text = bech32.encode("bc", [0, ...bech32.toWords(hash)]);
        expect(parseBitcoinAddress(text)?.text).toBe(text);
        expect(parseBitcoinAddress(text.toUpperCase())?.text).toBe(text);
      }),
    );
  });

  test("is refused if one character has changed", () => {
    const address = encodeBitcoinAddress("p2wpkh", randomBytes(33));
    fc.assert(
      fc.property(fc.nat(address.length - 1), fc.stringMatching(/^[a-z0-9]$/), (index, letter) => {
        fc.pre(address[index] !== letter);
        expect(parseBitcoinAddress(address.slice(0, index) + letter + address.slice(index + 1))).toBeNull();
      }),
    );
  });

  test("is refused if it is arbitrary text", () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => parseBitcoinAddress(text) === null));
    fc.assert(fc.property(fc.string(), (text) => parseBitcoinAddress(`bc1${text}`) === null));
  });
});
