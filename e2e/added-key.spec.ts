import type { Browser, Page } from "playwright/test";
import { expectPresentable } from "./support/accessible.ts";
import { DOMAIN, expect, test, userOn, type Wallet } from "./support/fixtures.ts";
import { openDashboardFast, polledTo } from "./support/page.ts";

/** The holder of a key that somebody else has added to their account, as an attacker with a relayed add code would. */

type Attacker = { page: Page; user: number; close: () => Promise<void> };

/** Somebody who is signed in, by a wallet of their own, and adds the key or the address of somebody else. */
async function attackerAdds(
  browser: Browser,
  own: Wallet,
  victim: Wallet,
  kind: "key" | "address" = "key",
): Promise<Attacker> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await own.signIn(page);
  const path = kind === "address" ? "/api/getqrcode?intent=add" : "/api/svc/qr?intent=add";
  const { sid, qr } = await (await page.request.get(path)).json();
  await victim.approve(qr);
  const added = await page.request.post("/api/account/credentials", { data: { sid } });
  expect(added.status()).toBe(201);
  return { page, user: await userOn(page), close: () => context.close() };
}

const session = async (page: Page) => (await page.request.get("/api/auth/session")).json();

test("the victim of a relayed add code sees the account, refuses it, and makes one of their own", async ({
  page,
  browser,
  wallet,
  newWallet,
}) => {
  const attacker = await attackerAdds(browser, newWallet(), wallet);
  await page.goto("/login");
  await wallet.approve(page);
  await expect(page.getByRole("heading", { level: 1, name: "Is this your account?" })).toBeVisible();
  await expect(page.getByText(`User ${attacker.user}`)).toBeVisible();
  await expect(page.getByText("1 other key or address")).toBeVisible();
  await expect(page.getByText(wallet.fingerprint(DOMAIN))).toBeVisible();
  await expectPresentable(page);
  expect(await session(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  await expectPresentable(page);
  expect(await session(page)).toEqual({});
  // Gone back and pressed again, it stays so.
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  await page.getByRole("link", { name: "Create an account" }).click();
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await session(page)).user.id).not.toBe(attacker.user);
  await attacker.page.goto("/dashboard");
  await expect(attacker.page.getByText(/Way to sign in removed by its holder/).first()).toBeVisible();
  await attacker.close();
});

test("who added the key themselves goes on to the account, and to where they wanted to go", async ({
  page,
  browser,
  wallet,
  newWallet,
}) => {
  const owner = await attackerAdds(browser, newWallet(), wallet);
  await page.goto("/login?callbackUrl=%2Fconsole%2Ftest");
  await wallet.approve(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/console\/test$/);
  expect((await session(page)).user.id).toBe(owner.user);
  await owner.close();
});

for (const decision of ["Continue", "This is not my account"]) {
  test(`the question needs no script: ${decision}`, async ({ browser, newWallet }) => {
    const address = newWallet();
    const attacker = await attackerAdds(browser, newWallet(), address, "address");
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await openDashboardFast(page, address);
    await expect(page.getByRole("heading", { level: 1, name: "Is this your account?" })).toBeVisible();
    await page.getByRole("button", { name: decision }).click();
    if (decision === "Continue") {
      await expect(page).toHaveURL(/\/dashboard$/);
      expect((await session(page)).user.id).toBe(attacker.user);
    } else {
      await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
      expect(await session(page)).toEqual({});
    }
    await context.close();
    await attacker.close();
  });
}

test("the demo customer on the hosted API asks as well", async ({ page, browser, wallet, newWallet }) => {
  const attacker = await attackerAdds(browser, newWallet(), wallet);
  await page.clock.install();
  await page.goto("/login/hosted");
  await wallet.approve(page);
  await polledTo(page, /\/login\/added\?/);
  expect(await session(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  expect(await session(page)).toEqual({});
  await attacker.close();
});
