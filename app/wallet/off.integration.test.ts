import { expect, test } from "vitest";
import { requestSharedApp, url } from "#e2e/support/test-apps.ts";

const PATHS = ["/wallet", "/wallet/sw.js", "/wallet/manifest.webmanifest"];

const { url: switchedOffUrl } = await requestSharedApp("switchedOff");

test.each(PATHS)("returns 404 for the wallet's URLs if the wallet is switched off: %s", async (path) => {
  expect((await fetch(new URL(path, switchedOffUrl))).status).toBe(404);
});

test.each(["/login", "/register"])(
  "offers the trial wallet only if the wallet is switched on: %s",
  async (path) => {
    const html = async (origin: string) => (await fetch(new URL(path, origin))).text();
    expect(await html(url)).toContain("Try it in this tab");
    const off = await html(switchedOffUrl);
    expect(off).toContain("Getting a code");
    expect(off).not.toMatch(/Try it in this tab|trial|demo wallet/i);
  },
);

test("lets the wallet page load resources only from its own origin, but post to any site", async () => {
  const { headers } = await fetch(new URL("/wallet", url));
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("worker-src 'self'");
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
  expect(policy).not.toContain("unsafe-eval");
});
