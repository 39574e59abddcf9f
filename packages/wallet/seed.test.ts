import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../tools/kit/any-character.ts";
import { deriveSeed } from "./independent-crypto.fixture.ts";
import { generateRecoveryPhrase, parseRecoveryPhrase, seedFromPhrase } from "./seed.ts";
import vectors from "./vectors.json" with { type: "json" };
import { WalletError } from "./wallet-error.ts";

describe("a seed phrase", () => {
  test("is 12 words with a valid checksum, different each time", () => {
    const phrases = Array.from({ length: 20 }, generateRecoveryPhrase);
    for (const phrase of phrases) {
      expect(phrase.split(" ")).toHaveLength(12);
      expect(parseRecoveryPhrase(phrase)).toBe(phrase);
    }
    expect(new Set(phrases).size).toBe(phrases.length);
  });

  test("yields the same BIP-39 seed in a second implementation", async () => {
    expect(Buffer.from(await seedFromPhrase(vectors.phrase)).toString("hex")).toBe(vectors.seed);
    const phrase = generateRecoveryPhrase();
    expect(Buffer.from(await seedFromPhrase(phrase))).toEqual(deriveSeed(phrase));
  });

  test("can be entered with capital letters and any white space", () => {
    expect(parseRecoveryPhrase(`  ${vectors.phrase.toUpperCase().replaceAll(" ", " \n\t")} `)).toBe(
      vectors.phrase,
    );
  });

  test.each([
    ["", "phrase_length", "has 12, 15, 18, 21 or 24 words; this one has 0"],
    ["abandon about", "phrase_length", "this one has 2"],
    [vectors.phrase.replace("about", "abuot"), "phrase_word", "Word 12"],
    [vectors.phrase.replace("about", "abandon"), "phrase_checksum", "do not form a phrase"],
  ])("is refused if it is wrong (%j), with the code %s", (phrase, code, words) => {
    expect(() => parseRecoveryPhrase(phrase)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });

  test("is read from any text, or refused with a wallet error", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        try {
          parseRecoveryPhrase(text);
        } catch (error) {
          expect(error).toBeInstanceOf(WalletError);
        }
      }),
    );
  });
});
