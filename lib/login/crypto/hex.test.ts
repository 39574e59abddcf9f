import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHex } from "./hex.ts";

test("either letter case reads as the same bytes", () => {
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
])("%s is refused", (_what, text) => {
  expect(decodeHex(text)).toBeNull();
});
