import { expect, test } from "vitest";
import { isHostName, isLoopback } from "./url.ts";

test.each(["localhost", "shop.localhost", "a.b.localhost", "127.0.0.1", "[::1]"])(
  "recognises a loopback host: %s",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  ..."evillocalhost .localhost localhost. localhost.evil.example localhost.evil evil-localhost".split(" "),
  ..."127.0.0.1.evil.example x127.0.0.1 127.0.0.11 127a0.0.1 1127.0.0.1 0.0.0.0 [::] [::11]".split(" "),
  ...["example.com", "shop.example", ""],
])("does not treat any other host as a loopback host: %j", (host) => {
  expect(isLoopback(host)).toBe(false);
});

test.each([
  ...["a", "example.com", "xn--mnchen-3ya.de", "1.2"],
  ...[`${"a".repeat(63)}.example`, `${"a.".repeat(126)}a`],
])("accepts a valid host name: %s", (text) => expect(isHostName(text)).toBe(true));

test.each([
  ...["", "a b", "a\n", ...". a. .a a..b A.example -a a- a_b a:1 a/b *.a ü.de".split(" ")],
  ...[`${"a".repeat(64)}.example`, `${"a.".repeat(127)}a`],
])("rejects an invalid host name: %j", (text) => expect(isHostName(text)).toBe(false));
