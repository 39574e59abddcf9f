import { secp256k1 as noble } from "@noble/curves/secp256k1.js";
import { computeFingerprint } from "@svc/wallet/derive-key";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import { decodeHex, formatCredentialName, parsePublicKey } from "./public-key.ts";

/** SEC 2, 2.4.1. Every implementation knows this key. */
const X = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const Y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
const UNCOMPRESSED = `04${X}${Y}`;
/** p; valid coordinates are smaller. */
const FIELD = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

describe("a public key", () => {
  test("has the same lower-case uncompressed hex in every accepted form", () => {
    const secretKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(noble.utils.isValidSecretKey);
    fc.assert(
      fc.property(secretKeys, (secretKey) => {
        const uncompressed = Buffer.from(noble.getPublicKey(secretKey, false)).toString("hex");
        const compressed = Buffer.from(noble.getPublicKey(secretKey, true)).toString("hex");
        for (const form of [uncompressed, compressed, uncompressed.toUpperCase(), compressed.toUpperCase()]) {
          const key = parsePublicKey(form);
          expect(key?.hex).toBe(uncompressed);
          expect(Buffer.from(key?.bytes ?? []).toString("hex")).toBe(uncompressed);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("differs from the key with the negated point", () => {
    expect(parsePublicKey(`02${X}`)?.hex).toBe(UNCOMPRESSED);
    expect(parsePublicKey(`03${X}`)?.hex).not.toBe(UNCOMPRESSED);
  });
});

describe("an invalid key", () => {
  test.each([
    ["nothing", ""],
    ["the point at infinity", "00"],
    ["infinity padded to 33 bytes", "00".repeat(33)],
    ["infinity padded to 65 bytes", "00".repeat(65)],
    ["04 and zeros", `04${"00".repeat(64)}`],
    ["the hybrid form, even", `06${X}${Y}`],
    ["the hybrid form, odd", `07${X}${Y}`],
    ["a compressed prefix on 65 bytes", `02${X}${Y}`],
    ["an uncompressed prefix on 33 bytes", `04${X}`],
    ["only the x coordinate", X],
    ["a point that is not on the curve", `04${X}${Y.slice(0, -1)}9`],
    ["an x coordinate without a point", `02${"00".repeat(31)}05`],
    ["x equal to the field's order", `02${FIELD}`],
    ["a coordinate above the field's order", `04${"ff".repeat(32)}${Y}`],
    ["a byte too many", `${UNCOMPRESSED}00`],
    ["a digit too few", UNCOMPRESSED.slice(0, -1)],
    ["0x in front", `0x${UNCOMPRESSED.slice(2)}`],
    ["a space for a digit", `${UNCOMPRESSED.slice(0, -1)} `],
    ["a character whose low byte is a digit", UNCOMPRESSED.replace("8", "\u0138")],
  ])("is refused: %s", (_what, text) => {
    expect(parsePublicKey(text)).toBeNull();
  });

  test("is refused without throwing, whatever the text is", () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 140 }),
      fc.string({ minLength: 66, maxLength: 66 }),
      fc.string({ minLength: 130, maxLength: 130 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(parsePublicKey(text)).toBeNull();
      }),
    );
  });

  test("is refused if the 64 bytes after 04 are not the coordinates of a point on the curve", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (coordinates) => {
        expect(parsePublicKey(`04${Buffer.from(coordinates).toString("hex")}`)).toBeNull();
      }),
    );
  });
});

test("reads upper-case and lower-case hex as the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const text = Buffer.from(bytes).toString("hex");
      expect(decodeHex(text)).toEqual(Buffer.from(bytes));
      expect(decodeHex(text.toUpperCase())).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each([
  ["nothing", ""],
  ["an odd number of digits", "abc"],
  ["a prefix", "0x00"],
  ["a space", "00 0"],
  ["a line break at the end", "000\n"],
  ["NUL", "0\u0000"],
  ["a letter beyond f", "0g"],
  ["a character whose low byte is a digit", "0\u0130"],
  ["full-width digits", "\uff10\uff10"],
])("refuses %s", (_what, text) => {
  expect(decodeHex(text)).toBeNull();
});

test("names a public key with the same fingerprint as the wallet does", () => {
  const key = noble.Point.fromBytes(noble.keygen().publicKey);
  expect(formatCredentialName(key.toHex(false))).toBe(computeFingerprint(key.toHex(true)));
});

test("names a Bitcoin address with the address itself", () => {
  expect(formatCredentialName("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")).toBe(
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  );
});
