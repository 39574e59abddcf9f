import type { BrowserContext } from "playwright/test";
import { expect, openListening, shownCode, test, userOn } from "./support/fixtures.ts";

/** Where a browser is sent that asks for the dashboard; null where it is shown. */
async function sentFromDashboard({ request }: BrowserContext): Promise<string | null> {
  const response = await request.get("/dashboard", { maxRedirects: 0 });
  const { location = null } = response.headers();
  expect(response.status()).toBe(location === null ? 200 : 307);
  return location;
}

test("a new wallet registers, and signs in again as the same user; only paths of this site are followed", async ({
  page,
  browser,
  wallet,
}) => {
  await page.goto("/register");
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  const firstUser = await userOn(page);

  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto("/login?callbackUrl=https://evil.example/");
  await wallet.approve(second);
  await expect(second).toHaveURL(/\/dashboard$/);
  expect(await userOn(second)).toBe(firstUser);
  await other.close();
});

test("an unknown key is told so, and goes on to an account with the same wallet", async ({
  page,
  wallet,
}) => {
  await openListening(page, "/login?callbackUrl=/dashboard?from=test");
  expect(await wallet.answer(page)).toMatchObject({ status: 404 });
  await expect(page.getByRole("status")).toContainText("no account here yet");
  await page.getByRole("link", { name: "Create an account with this wallet" }).click();
  await expect(page).toHaveURL(/\/register/);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard\?from=test$/);
});

test("a wrong signature signs nobody in, is told to the page, and the code stays good", async ({
  page,
  wallet,
  register,
}) => {
  await register(wallet);
  await openListening(page, "/login");
  const { text } = await shownCode(page);
  expect(await wallet.forge(page)).toMatchObject({ status: 406 });
  await expect(page.getByRole("status")).toContainText("not valid");
  await wallet.approve(text);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("the code is renewed every 30 seconds, and the one before stays good until its own end", async ({
  page,
  wallet,
  register,
}) => {
  await register(wallet);
  await page.clock.install();
  await page.goto("/login");
  const before = await shownCode(page);
  await page.clock.runFor(31_000);
  await expect.poll(async () => (await shownCode(page)).challenge).not.toBe(before.challenge);
  expect((await shownCode(page)).session).toBe(before.session);
  await wallet.approve(before.text);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("after five minutes of nobody the code is no longer renewed, and one click goes on", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/login");
  await shownCode(page);
  await page.clock.fastForward("05:31");
  await expect(page.getByRole("status")).toContainText("Still there?");
  await page.getByRole("button", { name: "Show a new code" }).click();
  await page.clock.runFor(1_000);
  await shownCode(page);
});

test("a reload starts a new session", async ({ page }) => {
  await page.goto("/login");
  const before = await shownCode(page);
  await page.reload();
  await expect.poll(async () => (await shownCode(page)).session).not.toBe(before.session);
});

test("two tabs of a browser each sign in by their own code", async ({ page, context, wallet, register }) => {
  await register(wallet);
  await page.goto("/login");
  await shownCode(page);
  const second = await context.newPage();
  await second.goto("/login");
  await shownCode(second);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await wallet.approve(second);
  await expect(second).toHaveURL(/\/dashboard$/);
});

test("a second browser that stole the sid gets nothing", async ({ page, browser, wallet, register }) => {
  await register(wallet);
  await page.goto("/login");
  const { session } = await shownCode(page);
  const thief = await browser.newContext();
  expect((await thief.request.get("/api/svc/qr?mode=login")).status()).toBe(200);
  await wallet.approve(page);

  const { csrfToken } = await (await thief.request.get("/api/auth/csrf")).json();
  const attempt = await thief.request.post("/api/auth/callback/svc", {
    form: { csrfToken, sid: session, json: "true" },
  });
  expect(attempt.status()).toBe(401);
  expect(await sentFromDashboard(thief)).toMatch(/^\/login/);
  // And the one whose login it is comes in.
  await expect(page).toHaveURL(/\/dashboard$/);
  await thief.close();
});

test("a sign-out cannot be undone by replaying the cookies", async ({ page, context, browser, wallet }) => {
  await wallet.signIn(page);
  await page.goto("/dashboard");
  const cookies = await context.cookies();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).not.toHaveURL(/\/dashboard/);

  const replay = await browser.newContext();
  await replay.addCookies(cookies);
  expect(await sentFromDashboard(replay)).toMatch(/^\/login/);
  await replay.close();
});

test("revoking another browser ends it at once", async ({ page, browser, wallet }) => {
  await wallet.signIn(page);
  const other = await browser.newContext();
  await wallet.signIn(other);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^Sign out .+ on/ }).click();
  await expect(page.getByRole("button", { name: /^Sign out .+ on/ })).toHaveCount(0);
  expect(await sentFromDashboard(other)).toMatch(/^\/login/);
  await other.close();
});

test("signing out everywhere ends every browser of the user and nobody else's", async ({
  page,
  browser,
  wallet,
  newWallet,
}) => {
  await wallet.signIn(page);
  const [own, foreign] = await Promise.all([browser.newContext(), browser.newContext()]);
  await wallet.signIn(own);
  await newWallet().signIn(foreign);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("button", { name: "Yes, sign out everywhere" }).click();
  await expect(page).not.toHaveURL(/\/dashboard/);
  expect(await sentFromDashboard(own)).toMatch(/^\/login/);
  expect(await sentFromDashboard(foreign)).toBeNull();
  await Promise.all([own.close(), foreign.close()]);
});
