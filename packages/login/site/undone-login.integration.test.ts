import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createTestDatabase, type TestDatabase } from "../../../tools/kit/database.ts";
import { createLogin, type Login } from "../index.ts";
import { shutDown } from "../process/state.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import type { OnSiteUndone } from "./options.ts";
import { ORIGIN, SITE_SETTINGS, SiteBrowser } from "./tests/site.fixture.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await shutDown(async () => {});
  // A process can have only one login, so the next test needs a fresh state.
  forgetProcess();
});

const onFailure = vi.fn();

const siteWithUsers = (onUndone?: OnSiteUndone) =>
  createLogin(async () => ({
    ...SITE_SETTINGS,
    ...{ databaseUrl: database.url, onFailure, onUndone },
    findOrCreateUser: async ({ userId }) => `customer-${userId}`,
  }));

async function answeredLogin(login: Login<number> | Login<string>) {
  const browser = new SiteBrowser(login);
  return { browser, ...(await browser.answerLogin("mode=register", new VirtualWallet())) };
}

const post = (login: Login<string>, undo = ""): Promise<Response> =>
  new SiteBrowser(login).send("POST", undo.replace(ORIGIN, ""));

test("does not offer wallets to undo a login if the site redeems logins without onUndone", async () => {
  const login = siteWithUsers();
  for (let times = 0; times < 2; times++) {
    const { browser, sid, status, undo } = await answeredLogin(login);
    expect({ status, undo }).toEqual({ status: 200, undo: undefined });
    expect(await login.redeem(browser.headers, sid)).not.toBeNull();
  }
});

test("offers wallets to undo a login if the site does not use findOrCreateUser", async () => {
  const plain = createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl: database.url }));
  expect((await answeredLogin(plain)).undo).toContain(`${ORIGIN}/webhook/undo?`);
  for (const use of [
    (site: Login<string>) => site.auth.GET,
    (site: Login<string>) => site.nextAuth.options({ providers: [] }),
  ]) {
    await shutDown(async () => {});
    forgetProcess();
    const login = siteWithUsers();
    use(login);
    expect((await answeredLogin(login)).undo).toContain(`${ORIGIN}/webhook/undo?`);
  }
});

test("stops offering to undo logins once a site with NextAuth also calls redeem", async () => {
  const login = siteWithUsers();
  login.nextAuth.options({ providers: [] });
  const { browser, sid } = await answeredLogin(login);
  await login.redeem(browser.headers, sid);
  expect((await answeredLogin(login)).undo).toBeUndefined();
});

test("answers the wallet after onUndone has ended the site's session", async () => {
  const sessions = new Map<string, number | string>();
  const login = siteWithUsers(async ({ sid, userId }) => {
    await new Promise(setImmediate);
    if (sessions.get(sid) === userId) sessions.delete(sid);
  });
  const [relayed, ownLogin] = [await answeredLogin(login), await answeredLogin(login)];
  for (const { browser, sid } of [relayed, ownLogin]) {
    const redemption = await login.redeem(browser.headers, sid);
    sessions.set(sid, redemption?.userId ?? "");
  }
  const answer = await post(login, relayed.undo);
  expect(await answer.json()).toEqual({ status: "undone" });
  expect([...sessions.keys()]).toEqual([ownLogin.sid]);
});

test("returns 503 to the wallet if onUndone fails, and allows a retry", async () => {
  const onUndone = vi.fn<OnSiteUndone>().mockRejectedValueOnce(new Error("secret cause"));
  const login = siteWithUsers(onUndone);
  const { browser, sid, undo } = await answeredLogin(login);
  const redemption = await login.redeem(browser.headers, sid);
  const response = await post(login, undo);
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(await response.text()).not.toContain("secret cause");
  expect(onFailure).toHaveBeenCalledWith(expect.stringMatching(/^onUndone failed/), expect.any(Error));
  expect((await post(login, undo)).status).toBe(200);
  expect(onUndone.mock.calls).toEqual([
    [{ sid, userId: redemption?.userId }],
    [{ sid, userId: redemption?.userId }],
  ]);
});

test("does not redeem a login that was already undone", async () => {
  const onUndone = vi.fn<OnSiteUndone>();
  const login = siteWithUsers(onUndone);
  const { browser, sid, undo } = await answeredLogin(login);
  expect((await post(login, undo)).status).toBe(200);
  expect(await login.redeem(browser.headers, sid)).toBeNull();
  expect(onUndone).not.toHaveBeenCalled();
});
