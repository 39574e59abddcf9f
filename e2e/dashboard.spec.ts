import { expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

test("the dashboard sends a stranger to the login page and back", async ({ page, wallet, register }) => {
  await register(wallet);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, wallet);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("signed in");
});

test("the dashboard is accessible and fits, at both widths and in both schemes", async ({
  page,
  wallet,
  register,
}) => {
  await register(wallet);
  await signIn(page, wallet);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expectAccessible(page);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, "the dashboard scrolls sideways").toBeLessThanOrEqual(0);
  }
});

test("the dashboard names the key by the fingerprint that the wallet shows", async ({
  page,
  wallet,
  register,
}) => {
  await register(wallet);
  await signIn(page, wallet);
  await expect(page.getByText(wallet.fingerprint()).first()).toBeVisible();
});
