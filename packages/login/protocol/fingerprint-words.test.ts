import { expect, test } from "vitest";
import { fingerprintWords } from "./fingerprint-words.ts";

const hex = (byte: number) => byte.toString(16).padStart(2, "0");

test("has a different word for every byte", () => {
  const words = Array.from({ length: 256 }, (_, byte) => {
    const [first] = fingerprintWords(`${hex(byte)}00 0000 0000 0000`) ?? [];
    return first;
  });
  expect(new Set(words).size).toBe(256);
  expect(words.every((word) => /^[a-z]{3,8}$/.test(word ?? ""))).toBe(true);
});

test("returns the fixed words of a fingerprint's first four bytes, in order", () => {
  expect(fingerprintWords("1a2b 3c4d 5e6f 7081")).toEqual(["berry", "bridge", "carpet", "clover"]);
});

test.each(["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "", "1A2B 3C4D 5E6F 7081", "1a2b3c4d5e6f7081"])(
  "returns null for text that is not a fingerprint: %j",
  (name) => {
    expect(fingerprintWords(name)).toBeNull();
  },
);
