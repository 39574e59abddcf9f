import { expect, test } from "vitest";
import { createLogin, nextAuth, nextSite, recovery } from "../index.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import { newClientHeaders, ORIGIN, SITE_SETTINGS, SiteBrowser, startSite } from "./tests/site.fixture.ts";

const site = startSite((databaseUrl) =>
  createLogin({
    plugins: [nextSite(), nextAuth()],
    setUp: async () => ({ ...SITE_SETTINGS, databaseUrl }),
  }),
);

const statusOf = async (path: string, method = "GET") =>
  (await site().login.routes.GET(new Request(ORIGIN + path, { method, headers: newClientHeaders() }))).status;

test("signs a browser in without any plugin", async () => {
  const browser = new SiteBrowser(site().login);
  const { sid } = await browser.answerLogin("mode=register", new VirtualWallet());
  expect(await browser.signIn(sid)).toBe(200);
  expect(await browser.userId()).not.toBeNull();
});

test.each([
  ["GET", "/api/svc/events?sid=any"],
  ["POST", "/api/recovery"],
  ["POST", "/api/account/recovery-codes"],
  ["DELETE", "/api/account/sessions"],
  ["GET", "/api/account/added-key"],
])("returns 404 for an endpoint of a plugin that is not in the list: %s %s", async (method, path) => {
  expect(await statusOf(path, method)).toBe(404);
});

test.each(["approve", "add", "recover"])(
  "refuses a code with an intent that no plugin supports: %s",
  async (intent) => {
    expect(await statusOf(`/api/svc/qr?intent=${intent}`)).toBe(400);
  },
);

test("has no properties of plugins that are not in the list", () => {
  expect(site().login).not.toHaveProperty("recovery");
  expect(site().login).not.toHaveProperty("account");
});

test("throws if a required plugin is missing, and names it", () => {
  const incomplete = () =>
    createLogin({
      plugins: [nextSite(), recovery()],
      setUp: async () => ({ ...SITE_SETTINGS, databaseUrl: "" }),
    });
  expect(incomplete).toThrow("The plugin recovery needs the plugin approvals: add it to the list.");
});
