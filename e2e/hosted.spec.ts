import { expectAccessible } from "./support/accessible.ts";
import { approve, makeWallet } from "./support/browser-wallet.ts";
import { expect, shownCode, test } from "./support/fixtures.ts";
import { polledTo } from "./support/next-poll.ts";

test("the hosted flow signs a new wallet in, knows it the next time, and goes on to where its user wanted to go", async ({
  page,
  browser,
  wallet,
}) => {
  await page.goto("/login/hosted");
  const { webhook, challenge } = await shownCode(page);
  expect(webhook).toContain("/webhook/sessions/");
  expect(challenge).toMatch(/^svc:login:localhost:/);
  const behind = page.getByRole("region", { name: "What happens behind it" });
  await expect(behind.getByText(/^\/sandbox\/v1\/sessions: 201 in \d+ ms$/)).toBeVisible();
  await expect(behind.getByText(/Authorization: Bearer svc_test_…/)).toBeVisible();
  await expectAccessible(page);
  await wallet.approve(page);
  await expect(page).toHaveURL(/\/dashboard$/, { timeout: 15_000 });
  const user = (await (await page.request.get("/api/auth/session")).json()).user.id;

  const other = await (await browser.newContext()).newPage();
  await other.clock.install();
  await other.goto("/login/hosted?callbackUrl=/console/test/keys");
  await wallet.approve(other);
  await polledTo(other, /^[^?]*\/console\/test\/keys$/);
  expect((await (await other.request.get("/api/auth/session")).json()).user.id).toBe(user);
  await other.context().close();
});

test("the code is renewed for the same session, and stays good after a wrong signature", async ({
  page,
  wallet,
}) => {
  await page.clock.install();
  await page.goto("/login/hosted");
  const before = await shownCode(page);
  await page.clock.runFor(31_000);
  await expect.poll(async () => (await shownCode(page)).challenge).not.toBe(before.challenge);
  const { session, text } = await shownCode(page);
  expect(session).toBe(before.session);
  expect(await wallet.forge(page)).toMatchObject({ status: 406 });
  await wallet.approve(text);
  await polledTo(page, /\/dashboard$/);
});

test("a browser that stole the sid can neither read nor redeem the login", async ({
  page,
  browser,
  wallet,
}) => {
  await page.clock.install();
  await page.goto("/login/hosted");
  const { session } = await shownCode(page);
  const thief = await browser.newContext();
  expect((await thief.request.get("/api/hosted-demo/qr")).status()).toBe(200);
  // The owner's page stays out of the race.
  await page.route("**/api/hosted-demo/check*", (route) => route.abort());
  await wallet.approve(page);
  expect((await thief.request.get(`/api/hosted-demo/check?sid=${session}`)).status()).toBe(404);
  await expect
    .poll(async () => (await page.request.get(`/api/hosted-demo/check?sid=${session}`)).json())
    .toMatchObject({ status: "authenticated" });
  const { csrfToken } = await (await thief.request.get("/api/auth/csrf")).json();
  const attempt = await thief.request.post("/api/auth/callback/hosted", {
    form: { csrfToken, sid: session, json: "true" },
  });
  expect(attempt.status()).toBe(401);
  await page.unroute("**/api/hosted-demo/check*");
  await polledTo(page, /\/dashboard$/);
  await thief.close();
});

test("the demo wallet signs in through the hosted API", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login/hosted");
  await shownCode(page);
  const [wallet] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: /Try with the demo wallet/ }).click(),
  ]);
  await makeWallet(wallet);
  await approve(wallet);
  await polledTo(page, /\/dashboard$/);
});
