import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { startApp } from "#tools/kit/start-app.ts";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import {
  DATABASE_URL,
  DOMAIN,
  expect,
  openAndListen,
  readUserId,
  test,
  type Wallet,
} from "./support/fixtures.ts";
import { holdScripts } from "./support/page.ts";

/** A user who has lost their wallet regains the account with a recovery code and a new wallet. */

/** As a user does: notes the codes down, and types them in to confirm. */
async function createRecoveryCodes(page: Page): Promise<string[]> {
  await expect(page.getByRole("heading", { name: "Recovery codes", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: /^Create (two|new) codes$/ }).click();
  const replace = page.getByRole("button", { name: "Yes, create new codes" });
  const shown = page.getByRole("heading", { name: "Keep these two codes" });
  await expect(replace.or(shown)).toBeVisible();
  if (await replace.isVisible()) await replace.click();
  await expect(shown).toBeFocused();
  const codes = await page
    .getByRole("list", { name: "Your recovery codes" })
    .locator("code")
    .allTextContents();
  expect(codes).toHaveLength(2);
  return codes;
}

async function typeBack(page: Page, codes: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  for (const [place, code] of codes.entries()) {
    await page.getByLabel(`Code ${place + 1}`).fill(code.toLowerCase().replaceAll("-", " "));
  }
  await page.getByRole("button", { name: "Activate them" }).click();
  await expect(page.getByText("Your two codes are now active.")).toBeVisible();
}

/** Enters a recovery code and answers with a new wallet. Stops where the page asks whether this is the right wallet. */
async function recoverWith(page: Page, code: string, wallet: Wallet): Promise<void> {
  await page.getByRole("textbox", { name: "Recovery code" }).fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Choose your new wallet" })).toBeVisible();
  await wallet.approve(page);
  await expect(page.getByRole("heading", { name: "Is this your new wallet?" })).toBeVisible();
  await expect(page.getByText(wallet.fingerprint(DOMAIN))).toBeVisible();
}

test("restores access with a recovery code and a new wallet, and signs out the old browser", async ({
  page,
  wallet,
  newWallet,
  newPage,
}) => {
  await wallet.signIn(page);
  await page.goto("/dashboard");
  const health = page.getByRole("region", { name: "If you lose your wallet, you lose this account" });
  await expect(health).toContainText("1 sign-in method, no recovery codes.");
  const response = await page.request.post("/api/console/test/keys", {
    data: { name: "Outlives the wallet" },
  });
  const { key } = await response.json();

  await health.getByRole("link", { name: "Create recovery codes" }).click();
  await expect(page.getByRole("heading", { name: "Recovery codes", level: 1 })).toBeVisible();
  await expectAccessibleInAllViews(page);
  const codes = await createRecoveryCodes(page);
  await expectAccessibleInAllViews(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8");
  for (const code of codes) expect(file).toContain(code);
  await page.emulateMedia({ media: "print" });
  for (const text of [
    "Recovery code 1 of 2",
    "Recovery code 2 of 2",
    `User ${await readUserId(page)}, created on`,
  ]) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expect(page.getByRole("heading", { name: "Keep these two codes" })).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await page.getByLabel("Code 1").fill(codes[1] ?? "");
  await page.getByLabel("Code 2").fill("something else");
  await page.getByRole("button", { name: "Activate them" }).click();
  await expect(page.getByText("This is not the right code.")).toBeVisible();
  await expectAccessibleInAllViews(page);
  await page.getByRole("button", { name: "Show them again" }).click();
  await typeBack(page, codes);
  await page.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("This code works and was not used up.")).toBeVisible();
  await expectAccessibleInAllViews(page);

  // In another browser, the user types a recovery code first with a mistake, then correctly.
  const lost = await newPage();
  await lost.goto(new URL("/login", page.url()).href);
  await lost.getByRole("link", { name: "Recover your account" }).click();
  await expect(lost.getByRole("heading", { name: "Recover your account" })).toBeVisible();
  await expectAccessibleInAllViews(lost);
  await lost.getByRole("textbox", { name: "Recovery code" }).fill(`${codes[0]?.slice(0, -1)}*`);
  await lost.getByRole("button", { name: "Continue" }).click();
  await expect(lost.getByText("This code contains a typing error")).toBeVisible();
  const found = newWallet();
  await recoverWith(lost, codes[0] ?? "", found);
  await expectAccessibleInAllViews(lost);
  await lost.getByRole("button", { name: "It is mine" }).click();
  await expect(lost).toHaveURL(/\/dashboard$/);
  await expect(lost.getByRole("heading", { name: "You recovered this account" })).toBeVisible();
  await expect(lost.getByText("Before recovery")).toBeVisible();
  await expectAccessibleInAllViews(lost);
  const withKey = () =>
    lost.request.get("/sandbox/v1/domains", { headers: { Authorization: `Bearer ${key}` } });
  expect((await withKey()).status()).toBe(200);
  await lost.getByRole("button", { name: "Revoke your API key" }).click();
  await expect.poll(async () => (await withKey()).status()).toBe(401);
  await expect(lost.getByRole("button", { name: /API key|Revoking/ })).toBeHidden();

  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);

  await lost.getByRole("link", { name: "Create new recovery codes" }).click();
  await typeBack(lost, await createRecoveryCodes(lost));
  await lost.getByRole("link", { name: "Back to the dashboard" }).first().click();
  await expect(lost.getByText("2 sign-in methods, 2 recovery codes.")).toBeVisible();
  await expect(lost.getByRole("heading", { name: "You recovered this account" })).toBeHidden();
  // Changes that this browser made itself appear only in the history.
  await expect(lost.getByText(/since you were last here/)).toHaveCount(0);
});

test("reports a refused wallet on the recovery page and on the page that adds a wallet", async ({
  page,
  wallet,
  newWallet,
  newPage,
}) => {
  await wallet.signIn(page);
  await page.goto("/dashboard/recovery");
  const codes = await createRecoveryCodes(page);
  await typeBack(page, codes);

  const lost = await newPage();
  await lost.goto("/recover");
  await lost.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  const listening = lost.waitForResponse((answer) => answer.url().includes("/api/svc/events"));
  await lost.getByRole("button", { name: "Continue" }).click();
  await listening;
  // A wallet that already belongs to the account does not count as a new wallet.
  expect(await wallet.answer(lost)).not.toMatchObject({ status: 200 });
  const status = lost.getByRole("main").getByRole("status");
  await expect(status).toContainText("This wallet already has an account here");
  await expectAccessibleInAllViews(lost);

  await openAndListen(page, "/dashboard/add");
  expect(await newWallet().forge(page)).toMatchObject({ status: 406 });
  await expect(page.getByRole("main").getByRole("status")).toContainText("That answer was not valid");
  await expectAccessibleInAllViews(page);
});

test("lets a signed-in browser cancel a delayed recovery from the dashboard", async ({
  page,
  wallet,
  newWallet,
  newPage,
}) => {
  const waitingApp = await startApp({
    DATABASE_URL,
    RECOVERY_DELAY_HOURS: "48",
    RATE_LIMIT_SCALE: "100",
    LOG_LEVEL: "warn",
  });
  try {
    await wallet.signIn(page);
    await page.goto("/dashboard/recovery");
    const codes = await createRecoveryCodes(page);
    await typeBack(page, codes);

    const thief = await newPage();
    await thief.goto(`${waitingApp.url}/recover`);
    const key = newWallet();
    await recoverWith(thief, codes[1] ?? "", key);
    await thief.getByRole("button", { name: "It is mine" }).click();
    await expect(thief.getByRole("heading", { name: "Your recovery is waiting" })).toBeVisible();
    await expectAccessibleInAllViews(thief);
    // The user can close the page and open it again.
    const { origin } = new URL(thief.url());
    await thief.goto("about:blank");
    await thief.goto(`${origin}/recover`);
    await expect(thief.getByText(key.fingerprint(DOMAIN))).toBeVisible();

    const notice = page.getByRole("heading", {
      name: "Your account is being recovered with one of your codes",
    });
    for (const path of ["/dashboard/add", "/console/test", "/dashboard"]) {
      await page.goto(path);
      await expect(notice).toBeVisible();
    }
    await expect(page.getByText(key.fingerprint(DOMAIN)).first()).toBeVisible();
    await expectAccessibleInAllViews(page);
    await page.getByRole("button", { name: "Cancel the recovery" }).click();
    await expect(notice).toBeHidden();
    await thief.reload();
    await expect(thief.getByText("The recovery was cancelled")).toBeVisible();
    await expectAccessibleInAllViews(thief);
  } finally {
    await waitingApp.stop();
  }
});

test("deletes an account from the dashboard after a confirmation", async ({ page, wallet }) => {
  await wallet.signIn(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("link", { name: "Export as JSON" })).toHaveAttribute(
    "href",
    "/api/account/export",
  );
  await page.getByRole("button", { name: "Delete your account" }).click();
  await expectAccessibleInAllViews(page);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL(/\/$/);
  await openAndListen(page, "/login");
  expect(await wallet.answer(page)).toMatchObject({ status: 404 });
  await expect(page.getByText("This wallet has no account here yet")).toBeVisible();
});

test("never puts a recovery code into a URL, even before the page's scripts run", async ({ page }) => {
  const runScripts = await holdScripts(page);
  await page.goto("/recover", { waitUntil: "commit" });
  const field = page.getByRole("textbox", { name: "Recovery code" });
  const button = page.getByRole("button", { name: "Continue" });
  await field.fill("not a code");
  await field.press("Enter");
  await expect(button).toBeDisabled();
  expect(page.url()).toMatch(/\/recover$/);
  runScripts();
  await button.click();
  await expect(page.getByText(/This code contains a typing error/)).toBeVisible();
  await expect(field).toHaveValue("not a code");
});
