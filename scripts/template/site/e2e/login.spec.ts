import { expect, test } from "@svc/login/playwright";

test("a wallet registers, signs out, and signs in again", async ({ page, wallet }) => {
  await page.goto("/register");
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.goto("/login?callbackUrl=/dashboard");
  await wallet.approve(page);
  await expect(page.getByText(/signed in as user/)).toBeVisible();
});

test("the dashboard asks a stranger to sign in", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
});

test("a wallet without an account is told so, and nobody is signed in", async ({ page, wallet }) => {
  await page.goto("/login");
  expect(await wallet.answer(page)).toMatchObject({ status: 404, code: "user_not_found" });
  await expect(page.getByRole("link", { name: "Create an account with this wallet" })).toBeVisible();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("who lost their wallet gets back in with a code and a new wallet, and the old browser is out", async ({
  page,
  browser,
  wallet,
  newWallet,
}) => {
  await page.goto("/register");
  await wallet.approve(page);
  const user = await page.getByText(/signed in as user/).textContent();
  await expect(page.getByText("1 way in, no codes.")).toBeVisible();
  await page.getByRole("link", { name: "Make recovery codes" }).click();
  await page.getByRole("button", { name: "Make two codes" }).click();
  await expect(page.locator("ol code")).toHaveCount(2);
  const codes = await page.locator("ol code").allTextContents();
  await page.getByRole("button", { name: "I have kept them" }).click();
  for (const [place, code] of codes.entries()) await page.getByLabel(`Code ${place + 1}`).fill(code);
  await page.getByRole("button", { name: "Turn them on" }).click();
  await expect(page.getByText("Your two codes work from now on.")).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto("/login");
  await other.getByRole("link", { name: "Recover your account" }).click();
  await other.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Continue" }).click();
  const found = newWallet();
  await found.approve(other);
  await expect(other.getByText(found.fingerprint(new URL(other.url()).hostname))).toBeVisible();
  await other.getByRole("button", { name: "It is mine" }).click();
  await expect(other.getByText(user ?? "none")).toBeVisible();
  await expect(other.getByText("The code that you used is over: make new ones.")).toBeVisible();
  await other.getByRole("button", { name: "Remove what was there before" }).click();
  await expect(other.getByText("1 way in, 1 code.")).toBeVisible();

  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});
