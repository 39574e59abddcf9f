import { enter, expect, expectPresentable, signIn, test } from "./support/fixtures.ts";

test("the dashboard sends a stranger to the login page and back", async ({ page, wallet, register }) => {
  await register(wallet);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, wallet);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("signed in");
});

test("the dashboard is accessible and fits, narrow and wide, light and dark", async ({ page, wallet }) => {
  await enter(page, wallet);
  await page.goto("/dashboard");
  await expectPresentable(page);
});

test("the dashboard names the key by the fingerprint that the wallet shows", async ({ page, wallet }) => {
  await enter(page, wallet);
  await page.goto("/dashboard");
  await expect(page.getByText(wallet.fingerprint()).first()).toBeVisible();
});
