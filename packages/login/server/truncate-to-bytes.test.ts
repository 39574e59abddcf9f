import { expect, test } from "vitest";
import { truncateToBytes } from "./web-request.ts";

test.each([
  ["shorter", 10, "shorter"],
  ["exactly ten", 11, "exactly ten"],
  ["one too many", 11, "one too man"],
  ["äöü", 5, "äö"],
  ["a🦊🦊", 8, "a🦊"],
  ["🦊", 3, ""],
  ["", 4, ""],
])(
  "truncates text to a byte limit without splitting a character: %j, limited to %i bytes, becomes %j",
  (text, bytes, expected) => expect(truncateToBytes(text, bytes)).toBe(expected),
);
