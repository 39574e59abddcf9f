import { expect, test } from "vitest";
import { isLoopback } from "./addresses.ts";
import { NotApplicableError } from "./check.ts";
import type { Api } from "./hosted/api.ts";
import { acceptEvent, withListener } from "./hosted/events.ts";

test.each([
  ["localhost", true],
  ["shop.localhost", true],
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["[::1]", true],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["evillocalhost", false],
  [".localhost", false],
  ["127.evil.example", false],
  ["192.168.0.1", false],
  ["0.0.0.0", false],
])("reports whether a host is a loopback host: %s, %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test("does not listen for events if the API's host name only resembles a loopback name", async () => {
  for (const host of ["localhost.evil.example", "127.evil.example", "evillocalhost"]) {
    const api = { target: { origin: new URL(`https://${host}`) } } as Api;
    await expect(withListener(acceptEvent, async () => {})(api)).rejects.toThrow(NotApplicableError);
  }
});
