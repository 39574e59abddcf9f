import { createTestDatabase, execute } from "#tools/kit/database.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { expect, test } from "./support/fixtures.ts";

test("shows an error page when the layout itself fails", async ({ page }) => {
  await using started = new AsyncDisposableStack();
  const database = await createTestDatabase();
  started.defer(database.close);
  const app = await startApp({ DATABASE_URL: database.url, LOG_LEVEL: "silent" });
  started.defer(() => app.stop());
  const { browser } = await signInBrowser(app.url);
  await page
    .context()
    .addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: app.url })));

  // The header shows the signed-in user, so every page fails in this browser when this table is missing.
  await execute(database.url, "ALTER TABLE profile RENAME TO profile_away");
  // On a busy machine, a page might not wait for the database. It is then shown without the user.
  await expect(async () => {
    const answer = await page.goto(`${app.url}/docs`);
    expect(answer?.status()).toBe(500);
  }).toPass();
  await expect(
    page.getByRole("heading", { level: 1, name: "Something went wrong on our side" }),
  ).toBeVisible();
  await expect(page).toHaveTitle("Something went wrong · svc login");
  await expect(page.getByRole("banner").getByRole("link", { name: "svc login" })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^typeface,/);
  await expectAccessibleInAllViews(page);

  await execute(database.url, "ALTER TABLE profile_away RENAME TO profile");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
});
