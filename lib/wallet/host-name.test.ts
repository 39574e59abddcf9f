import { describe, expect, test } from "vitest";
import { isHostName, isLoopback } from "./host-name.ts";

test.each(["localhost", "shop.localhost", "a.b.localhost", "127.0.0.1", "[::1]"])(
  "%s is this machine",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  ...[
    "evillocalhost",
    ".localhost",
    "localhost.",
    "localhost.evil.example",
    "localhost.evil",
    "evil-localhost",
  ],
  ...[
    "127.0.0.1.evil.example",
    "x127.0.0.1",
    "127.0.0.11",
    "127a0.0.1",
    "1127.0.0.1",
    "0.0.0.0",
    "[::]",
    "[::11]",
  ],
  ...["example.com", "shop.example", ""],
])("%j is not this machine: anybody may hold such a name", (host) => {
  expect(isLoopback(host)).toBe(false);
});

describe("a host name", () => {
  test.each([
    "a",
    "example.com",
    "xn--mnchen-3ya.de",
    "1.2",
    `${"a".repeat(63)}.example`,
    `${"a.".repeat(126)}a`,
  ])("is %s", (text) => expect(isHostName(text)).toBe(true));

  test.each([
    ...[
      "",
      ".",
      "a.",
      ".a",
      "a..b",
      "A.example",
      "-a",
      "a-",
      "a_b",
      "a b",
      "a\n",
      "a:1",
      "a/b",
      "*.a",
      "ü.de",
    ],
    ...[`${"a".repeat(64)}.example`, `${"a.".repeat(127)}a`],
  ])("is not %j", (text) => expect(isHostName(text)).toBe(false));
});
