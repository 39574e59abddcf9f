import type { Page } from "playwright/test";
import { NEWER_BUILTINS, removeBuiltins } from "#scripts/browsers/newer-builtins.ts";
import { approve, createPassphraseWallet, openCode } from "./support/browser-wallet.ts";
import { test as base, expect, issueCode, readLoginStatus } from "./support/fixtures.ts";
import { trialApproval } from "./support/page.ts";

/**
 * A browser that lacks all built-ins that are missing in at least one of the oldest supported browsers
 * (docs/where-it-runs.md#browsers).
 */
const test = base.extend<{ errors: Error[] }>({
  context: async ({ context }, use) => {
    await context.addInitScript(removeBuiltins, NEWER_BUILTINS);
    await use(context);
  },
  errors: [
    async ({ page }, use) => {
      const errors: Error[] = [];
      page.on("pageerror", (error) => errors.push(error));
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

const lacks = (page: Page) =>
  page.evaluate(() => [
    "parse" in URL,
    "any" in AbortSignal,
    "withResolvers" in Promise,
    "toSorted" in Array.prototype,
    "isWellFormed" in String.prototype,
  ]);

test("registers a wallet and signs in with it again in an old browser", async ({ page, wallet }) => {
  await page.goto("/register");
  expect(await lacks(page)).toEqual(Array(5).fill(false));
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/login");
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  for (const path of ["/console", "/console/test/sessions", "/docs", "/docs/api", "/conformance"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("signs in through the hosted API and with a Bitcoin address in an old browser", async ({
  page,
  wallet,
}) => {
  await page.goto("/login/hosted");
  await wallet.approve(page);
  await expect(page.getByRole("link", { name: "Open your dashboard" })).toBeVisible();
  await page.context().clearCookies();
  await page.goto("/fast");
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard/);
});

test("creates a temporary wallet and a permanent wallet in an old browser", async ({ page, request }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Try it in this tab" }).click();
  await trialApproval(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/wallet");
  await createPassphraseWallet(page);
  const { sid, qr } = await issueCode({ request });
  await openCode(page, qr);
  await approve(page);
  await expect.poll(() => readLoginStatus({ request }, sid)).toMatchObject({ status: "authenticated" });
});
