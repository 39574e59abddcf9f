import type { Browser, Page } from "playwright/test";
import { openDashboardFast } from "./support/fast-page.ts";
import { FastWallet } from "./support/fast-wallet.ts";
import { answer, enter, expect, expectPresentable, post, test } from "./support/fixtures.ts";
import { polledTo } from "./support/next-poll.ts";
import { TestWallet } from "./support/test-wallet.ts";

/** The holder of a key that somebody else has added to their account, as an attacker with a relayed add code would. */

type Attacker = { page: Page; user: number; close: () => Promise<void> };

/** Somebody who is signed in, and adds the key or address of somebody else. */
async function attackerAdds(browser: Browser, victim: TestWallet | FastWallet): Promise<Attacker> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await enter(page, new TestWallet());
  const fast = victim instanceof FastWallet;
  const path = fast ? "/api/getqrcode?intent=add" : "/api/svc/qr?intent=add";
  const { sid, challenge, qr } = await (await page.request.get(path)).json();
  if (fast) {
    const answered = await fetch(qr, { method: "POST", body: new URLSearchParams(victim.fields(qr)) });
    expect(answered.status).toBe(200);
  } else expect(await post("/webhook/login", victim.delivery(challenge))).toBe(200);
  const added = await page.request.post("/api/account/credentials", { data: { sid } });
  expect(added.status()).toBe(201);
  const { user } = await (await page.request.get("/api/auth/session")).json();
  return { page, user: user.id, close: () => context.close() };
}

/** Signs in on the login page, as far as the question. */
async function arrive(page: Page, wallet: TestWallet): Promise<void> {
  await page.goto("/login");
  expect(await answer(page, wallet)).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: "Is this your account?" })).toBeVisible();
}

const session = async (page: Page) => (await page.request.get("/api/auth/session")).json();

test("the victim of a relayed add code sees the account, refuses it, and makes one of their own", async ({
  page,
  browser,
  wallet,
}) => {
  const attacker = await attackerAdds(browser, wallet);
  await arrive(page, wallet);
  await expect(page.getByText(`User ${attacker.user}`)).toBeVisible();
  await expect(page.getByText("1 other key or address")).toBeVisible();
  await expect(page.getByText(wallet.fingerprint())).toBeVisible();
  expect(await session(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  expect(await session(page)).toEqual({});
  // Gone back and pressed again, it stays so.
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  await page.getByRole("link", { name: "Create an account" }).click();
  expect(await answer(page, wallet)).toBe(200);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await session(page)).user.id).not.toBe(attacker.user);
  await attacker.page.goto("/dashboard");
  await expect(attacker.page.getByText(/Way to sign in removed by its holder/)).toBeVisible();
  await attacker.close();
});

test("who added the key themselves goes on to the account, once, and to where they wanted to go", async ({
  page,
  browser,
  wallet,
}) => {
  const owner = await attackerAdds(browser, wallet);
  await page.goto("/login?callbackUrl=%2Fconsole%2Ftest");
  expect(await answer(page, wallet)).toBe(200);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/console\/test$/);
  expect((await session(page)).user.id).toBe(owner.user);
  const later = await browser.newContext();
  const tab = await later.newPage();
  await tab.goto("/login");
  expect(await answer(tab, wallet)).toBe(200);
  await expect(tab).toHaveURL(/\/dashboard$/);
  await later.close();
  await owner.close();
});

for (const decision of ["Continue", "This is not my account"]) {
  test(`the question needs no script: ${decision}`, async ({ browser }) => {
    const address = new FastWallet();
    const attacker = await attackerAdds(browser, address);
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

test("the demo integrator on the hosted API asks as well", async ({ page, browser, wallet }) => {
  const attacker = await attackerAdds(browser, wallet);
  await page.clock.install();
  await page.goto("/login/hosted");
  expect(await answer(page, wallet)).toBe(200);
  await polledTo(page, /\/login\/added\?/);
  expect(await session(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It is removed" })).toBeVisible();
  await page.goto("/login/hosted");
  expect(await answer(page, wallet)).toBe(200);
  await polledTo(page, /\/dashboard$/);
  expect((await session(page)).user.id).not.toBe(attacker.user);
  await attacker.close();
});

test.describe("is accessible and fits, narrow and wide, light and dark", () => {
  test("the question, and what comes of it", async ({ page, browser }) => {
    const address = new FastWallet();
    const attacker = await attackerAdds(browser, address);
    await openDashboardFast(page, address);
    await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
    await expectPresentable(page);
    await page.getByRole("button", { name: "This is not my account" }).click();
    await expect(page.getByRole("heading", { name: "It is removed" })).toBeVisible();
    await expectPresentable(page);
    await page.goto("/login/added?sid=unknown");
    await expect(page.getByRole("heading", { name: "There is nothing to decide" })).toBeVisible();
    await expectPresentable(page);
    await attacker.close();
  });
});
