import dns from "node:dns";
import { expect, onTestFinished, test, vi } from "vitest";
import { resolveLocalhostNames } from "./main.ts";

test("names below localhost lead to this machine, and every other name where the system says", () => {
  const { lookup } = dns;
  onTestFinished(() => {
    dns.lookup = lookup;
  });
  const asked = vi.fn();
  dns.lookup = asked as unknown as typeof lookup;
  resolveLocalhostNames();
  const names = ["shop.localhost", "a.b.localhost", "localhost"];
  const others = [
    "evillocalhost",
    "evil-localhost",
    "localhost.evil.example",
    "shop.localhost.example",
    "localhost.",
  ];
  for (const name of [...names, ...others]) dns.lookup(name, () => {});
  expect(asked.mock.calls.map(([name]) => name)).toEqual([...names.map(() => "localhost"), ...others]);
});
