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
