import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formatRecoveryCode, RECOVERY_CODE_ALPHABET, readCode } from "./code.ts";
import { computeCodeMac, computeMacKeyId, generateRecoveryCode } from "./recovery-codes.ts";

/** Crockford's rule, computed differently from the code under test. */
function checkOf(characters: string): string | undefined {
  const digits = [...characters].map((character) =>
    BigInt("0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(character)),
  );
  const number = digits.reduce((sum, digit) => sum * 32n + digit, 0n);
  return "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U"[Number(number % 37n)];
}

const codes = Array.from({ length: 200 }, generateRecoveryCode);

describe("a recovery code", () => {
  test("has 24 random characters and a check symbol, in five groups of five", () => {
    for (const characters of codes) {
      const formatted = formatRecoveryCode(characters);
      expect(formatted).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
      expect(formatted.at(-1)).toBe(checkOf(characters));
    }
    expect(new Set(codes).size).toBe(codes.length);
    for (let place = 0; place < 24; place++) {
      // The probability that 200 draws miss more than half of 32 characters is 1 in 10^60.
      expect(new Set(codes.map((code) => code[place])).size).toBeGreaterThan(16);
    }
  });

  test("is accepted in any case, with spaces, hyphens and look-alike characters", () => {
    for (const characters of codes) {
      const formatted = formatRecoveryCode(characters);
      const carelessCode = formatted
        .toLowerCase()
        .replaceAll("1", "i")
        .replaceAll("0", "o")
        .replaceAll("-", " ");
      const typeset = ` ${formatted.replaceAll("1", "L").replaceAll("-", "\u2013")}\n`;
      for (const code of [formatted, carelessCode, typeset, formatted.replaceAll("-", "")]) {
        expect(readCode(code)).toBe(characters);
      }
    }
  });

  test("is refused if one character is wrong or two adjacent characters are swapped", () => {
    for (const characters of codes.slice(0, 20)) {
      const plain = formatRecoveryCode(characters).replaceAll("-", "");
      for (let place = 0; place < plain.length; place++) {
        for (const other of RECOVERY_CODE_ALPHABET) {
          const code = plain.slice(0, place) + other + plain.slice(place + 1);
          expect(readCode(code)).toBe(code === plain ? characters : null);
        }
        const swappedCode = plain.slice(0, place) + plain[place + 1] + plain[place] + plain.slice(place + 2);
        if (place < plain.length - 1 && swappedCode !== plain) expect(readCode(swappedCode)).toBeNull();
      }
    }
  });

  test.each([
    "",
    " ",
    "x",
    "U".repeat(25),
    "0".repeat(24),
    "0".repeat(26),
    "\u0130".repeat(25),
    "0".repeat(100_000),
  ])("is not valid: %j", (code) => {
    expect(readCode(code)).toBeNull();
  });
});

test("computes a different MAC for the same code with a different secret", () => {
  const [code = ""] = codes;
  const [one, other] = ["the secret of today, long enough", "the secret of before, long enough"];
  expect(computeCodeMac(code, one)).toHaveLength(32);
  expect(computeCodeMac(code, one)).toEqual(computeCodeMac(code, one));
  expect(computeCodeMac(code, one)).not.toEqual(computeCodeMac(code, other));
  expect(computeMacKeyId(one)).not.toEqual(computeMacKeyId(other));
});

test("derives the key's id separately, so the id is not part of the key", () => {
  const [code = ""] = codes;
  const secret = "the secret of today, long enough";
  const key = Buffer.from(hkdfSync("sha256", secret, "", "svc-login recovery code v1", 32));
  // Derives the key with the standard's own functions.
  expect(computeCodeMac(code, secret)).toEqual(createHmac("sha256", key).update(code).digest());
  const name = computeMacKeyId(secret);
  expect(name).toHaveLength(8);
  for (const bytes of [key, computeCodeMac(code, secret), Buffer.from(secret)]) {
    expect(bytes.includes(name)).toBe(false);
  }
});
