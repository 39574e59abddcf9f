import type { Page } from "playwright/test";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { DOMAIN, expect, readSession, readUserId, test, type Wallet } from "./support/fixtures.ts";
import { openDashboardFast, pollUntilUrl } from "./support/page.ts";

/** Someone else has added the key to their own account, as an attacker with a relayed add code would. */

async function attackerAdds(page: Page, ownWallet: Wallet, victim: Wallet, kind: "key" | "address" = "key") {
  await ownWallet.signIn(page);
  const path = kind === "address" ? "/api/getqrcode?intent=add" : "/api/svc/qr?intent=add";
  const { sid, qr } = await (await page.request.get(path)).json();
  await victim.approve(qr);
  const response = await page.request.post("/api/account/credentials", { data: { sid } });
  expect(response.status()).toBe(201);
  return { page, user: await readUserId(page) };
}

test("lets the victim of a relayed code refuse the attacker's account", async ({
  page,
  newPage,
  wallet,
  newWallet,
}) => {
  const attacker = await attackerAdds(await newPage(), newWallet(), wallet);
  await page.goto("/login");
  await wallet.approve(page);
  await expect(page.getByRole("heading", { level: 1, name: "Is this your account?" })).toBeVisible();
  await expect(page.getByText(`User ${attacker.user}`)).toBeVisible();
  await expect(page.getByText("1 other key or address")).toBeVisible();
  await expect(page.getByText(wallet.fingerprint(DOMAIN))).toBeVisible();
  await expectAccessibleInAllViews(page);
  expect(await readSession(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It has been removed" })).toBeVisible();
  await expectAccessibleInAllViews(page);
  expect(await readSession(page)).toEqual({});
  // The page still shows this after a reload.
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "It has been removed" })).toBeVisible();
  await page.getByRole("link", { name: "Create an account" }).click();
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await readUserId(page)).not.toBe(attacker.user);
  await attacker.page.goto("/dashboard");
  await expect(attacker.page.getByText(/Wallet removed by its owner/).first()).toBeVisible();
});

test("lets users who added the key themselves continue to their destination", async ({
  page,
  newPage,
  wallet,
  newWallet,
}) => {
  const owner = await attackerAdds(await newPage(), newWallet(), wallet);
  await page.goto("/login?callbackUrl=%2Fconsole%2Ftest");
  await wallet.approve(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/console\/test$/);
  expect(await readUserId(page)).toBe(owner.user);
});

test("asks for confirmation of an added key even without JavaScript", async ({ newPage, newWallet }) => {
  const address = newWallet();
  const attacker = await attackerAdds(await newPage(), newWallet(), address, "address");
  const page = await newPage({ javaScriptEnabled: false });
  await openDashboardFast(page, address);
  await expect(page.getByRole("heading", { level: 1, name: "Is this your account?" })).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await readUserId(page)).toBe(attacker.user);
});

test("asks for confirmation of an added key in the hosted demo", async ({
  page,
  newPage,
  wallet,
  newWallet,
}) => {
  await attackerAdds(await newPage(), newWallet(), wallet);
  await page.clock.install();
  await page.goto("/login/hosted");
  await wallet.approve(page);
  await pollUntilUrl(page, /\/login\/added\?/);
  expect(await readSession(page)).toEqual({});
  await page.getByRole("button", { name: "This is not my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It has been removed" })).toBeVisible();
  expect(await readSession(page)).toEqual({});
});
