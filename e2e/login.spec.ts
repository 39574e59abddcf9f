import type { Page } from "playwright/test";
import { expect, openAndListen, readShownCode, readUserId, test } from "./support/fixtures.ts";

async function sentFromDashboard({ request }: Page): Promise<string | undefined> {
  return (await request.get("/dashboard", { maxRedirects: 0 })).headers().location;
}

test("creates an account for an unknown key and signs in the same user again", async ({
  page,
  newPage,
  wallet,
}) => {
  await openAndListen(page, "/login?callbackUrl=/dashboard?from=test");
  expect(await wallet.answer(page)).toMatchObject({ status: 404 });
  await expect(page.getByRole("status")).toContainText("no account here yet");
  await page.getByRole("link", { name: "Create an account with this wallet" }).click();
  await expect(page).toHaveURL(/\/register/);
  await expect(page.getByText("Scan once more with the same wallet")).toBeVisible();
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard\?from=test$/);

  const second = await newPage();
  await second.goto("/dashboard");
  await expect(second).toHaveURL(/\/login\?callbackUrl=/);
  await second.goto("/login?callbackUrl=https://evil.example/");
  await wallet.approve(second);
  await expect(second).toHaveURL(/\/dashboard$/);
  expect(await readUserId(second)).toBe(await readUserId(page));
});

test("renews the code every 30 seconds and accepts the previous one until it expires", async ({
  page,
  wallet,
  register,
}) => {
  await register(wallet);
  await page.clock.install();
  await openAndListen(page, "/login");
  const before = await readShownCode(page);
  expect(await wallet.forge(page)).toMatchObject({ status: 406 });
  await expect(page.getByRole("status")).toContainText("not valid");
  await page.clock.runFor(31_000);
  await expect.poll(async () => (await readShownCode(page)).challenge).not.toBe(before.challenge);
  expect((await readShownCode(page)).session).toBe(before.session);
  // After five minutes without activity, one click is enough to continue.
  await page.clock.fastForward("05:31");
  await expect(page.getByRole("status")).toContainText("Still there?");
  await page.getByRole("button", { name: "Show a new code" }).click();
  await page.clock.runFor(1_000);
  await readShownCode(page);
  await wallet.approve(before.text);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("signs in two tabs of a browser with separate codes", async ({ page, context, wallet, register }) => {
  await register(wallet);
  await page.goto("/login");
  const before = await readShownCode(page);
  await page.reload();
  await expect.poll(async () => (await readShownCode(page)).session).not.toBe(before.session);
  const second = await context.newPage();
  await second.goto("/login");
  await readShownCode(second);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await wallet.approve(second);
  await expect(second).toHaveURL(/\/dashboard$/);
});

test("signs out another browser from the dashboard, and then all of the user's browsers", async ({
  page,
  newPage,
  wallet,
}) => {
  await wallet.signIn(page);
  const [lost, ownPage] = [await newPage(), await newPage()];
  await wallet.signIn(ownPage);
  await page.goto("/dashboard");
  const others = page.getByRole("button", { name: /^Sign out .+ on/ });
  await expect(others).toHaveCount(1);
  await wallet.signIn(lost);
  await page.reload();
  await others.first().click();
  await expect(others).toHaveCount(1);
  expect(await sentFromDashboard(lost)).toMatch(/^\/login/);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).not.toHaveURL(/\/dashboard/);
  expect(await sentFromDashboard(ownPage)).toMatch(/^\/login/);
});
