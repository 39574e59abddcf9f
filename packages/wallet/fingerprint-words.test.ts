import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fingerprintWords as wordsOnSites } from "../login/protocol/fingerprint-words.ts";
import { fingerprintWords } from "./fingerprint-words.ts";

const guide = readFileSync(new URL("../../docs/wallet.md", import.meta.url), "utf8");

test("returns the word that the guide lists for every byte", () => {
  const [listed = ""] = /(?<=```\n)acorn [a-z\s]+(?=\n```)/.exec(guide) ?? [];
  const words = listed.split(/\s+/);
  expect(words).toHaveLength(256);
  expect(new Set(words).size).toBe(256);
  for (const [byte, word] of words.entries()) {
    const pair = byte.toString(16).padStart(2, "0");
    const fingerprint = `00${pair} ${pair}ff 0000 0000`;
    expect(fingerprintWords(fingerprint)).toBe(`${words[0]} ${word} ${word} ${words[255]}`);
    expect(wordsOnSites(fingerprint)?.join(" ")).toBe(fingerprintWords(fingerprint));
  }
});

test("returns the words from the guide's example", () => {
  const [, fingerprint = "", words] = /`([0-9a-f ]{19})` is `([a-z ]+)`/.exec(guide) ?? [];
  expect(fingerprintWords(fingerprint)).toBe(words);
});
