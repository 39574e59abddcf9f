import { DOMAIN, expect, test } from "./support/fixtures.ts";

test("the dashboard sends a stranger to the login page and back", async ({ page, wallet, register }) => {
  await register(wallet);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^User \d+$/);
});

test("the dashboard names the key by the fingerprint that the wallet shows, on demand", async ({
  page,
  wallet,
}) => {
  await wallet.signIn(page);
  await page.goto("/dashboard");
  const fingerprint = page.getByText(wallet.fingerprint(DOMAIN), { exact: true });
  await expect(fingerprint).toBeHidden();
  await page.getByText("Show the key’s fingerprint").click();
  await expect(fingerprint).toBeVisible();
});
