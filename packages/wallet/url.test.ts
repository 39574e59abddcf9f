import { expect, test } from "vitest";
import { isHostName, isLoopback } from "./url.ts";

test.each(["localhost", "shop.localhost", "a.b.localhost", "127.0.0.1", "[::1]"])(
  "accepts %s as this machine",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  ..."evillocalhost .localhost localhost. localhost.evil.example localhost.evil evil-localhost".split(" "),
  ..."127.0.0.1.evil.example x127.0.0.1 127.0.0.11 127a0.0.1 1127.0.0.1 0.0.0.0 [::] [::11]".split(" "),
  ...["example.com", "shop.example", ""],
])("rejects %j as this machine, because anyone can register such a name", (host) => {
  expect(isLoopback(host)).toBe(false);
});

test.each([
  ...["a", "example.com", "xn--mnchen-3ya.de", "1.2"],
  ...[`${"a".repeat(63)}.example`, `${"a.".repeat(126)}a`],
])("accepts %s as a host name", (text) => expect(isHostName(text)).toBe(true));

test.each([
  ...["", "a b", "a\n", ...". a. .a a..b A.example -a a- a_b a:1 a/b *.a ü.de".split(" ")],
  ...[`${"a".repeat(64)}.example`, `${"a.".repeat(127)}a`],
])("rejects %j", (text) => expect(isHostName(text)).toBe(false));
