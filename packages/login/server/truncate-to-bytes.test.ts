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
  "cuts text to the last complete character within a number of bytes: %j to %i bytes is %j",
  (text, bytes, expected) => expect(truncateToBytes(text, bytes)).toBe(expected),
);
