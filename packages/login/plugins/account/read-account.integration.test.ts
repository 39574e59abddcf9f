import { describe, expect, test } from "vitest";
import { createLogin } from "../../index.ts";
import { SITE_SETTINGS, SiteBrowser, signInBrowser, startSite } from "../../site/tests/site.fixture.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";

const site = startSite((databaseUrl) =>
  createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl, addsKeys: true })),
);

const accountOf = async (browser: SiteBrowser) => {
  const account = await site().login.account.of(browser.headers);
  if (!account) throw new Error("nobody is signed in");
  return account;
};

async function addWallet(browser: SiteBrowser): Promise<VirtualWallet> {
  const wallet = new VirtualWallet();
  const { sid } = await browser.answerLogin("mode=login&intent=add", wallet);
  expect(await site().login.account.candidate(browser.headers, sid)).toMatchObject({ standing: "new" });
  expect((await browser.send("POST", "/api/account/credentials", { sid })).status).toBe(201);
  return wallet;
}

const expireApprovals = (userId: unknown) =>
  site().client.query(
    "UPDATE browser_session SET created_at = created_at - interval '11 minutes' WHERE user_id = $1",
    [userId],
  );

describe("the account of the signed-in user", () => {
  test("is null without a session, and its endpoints return 401", async () => {
    const stranger = new SiteBrowser(site().login);
    expect(await site().login.account.of(stranger.headers)).toBeNull();
    expect(await site().login.account.candidate(stranger.headers, "any")).toBeNull();
    for (const [method, path] of [
      ["POST", "/api/account/credentials"],
      ["DELETE", "/api/account/credentials/00000000-0000-4000-8000-000000000000"],
      ["DELETE", "/api/account/sessions"],
    ] as const)
      expect((await stranger.send(method, path, { sid: "x" })).status, path).toBe(401);
  });

  test("contains the user's own sign-in methods, browsers and history", async () => {
    await signInBrowser(site().login);
    const { browser } = await signInBrowser(site().login);
    const account = await accountOf(browser);
    expect(account.signInMethods).toEqual([
      {
        ...{ id: expect.any(String), kind: "public_key", label: null, addedAt: expect.any(String) },
        ...{ name: expect.stringMatching(/^([0-9a-f]{4} ?){4}$/), isFromBeforeRecovery: false },
        ...{ platform: "virtual", lastUsedAt: expect.any(String), lastUsedIn: "Firefox" },
      },
    ]);
    expect(account.browsers).toMatchObject([{ name: "Firefox", isCurrent: true }]);
    expect(account.history).toMatchObject([{ kind: "session_created" }, { kind: "delivered" }]);
    expect(JSON.parse(JSON.stringify(account))).toEqual(account);
  });

  test("no longer contains a removed wallet or the sessions that the wallet opened", async () => {
    const { browser, userId } = await signInBrowser(site().login);
    const second = await addWallet(browser);
    const [ownMethod, added] = (await accountOf(browser)).signInMethods;
    const path = `/api/account/credentials/${added?.id}`;
    expect((await browser.send("PATCH", path, { label: "Spare" })).status).toBe(204);
    expect((await accountOf(browser)).signInMethods[1]?.label).toBe("Spare");
    const otherBrowser = new SiteBrowser(site().login);
    await site().client.query("UPDATE credential SET added_by_session = NULL WHERE user_id = $1", [userId]);
    const { sid } = await otherBrowser.answerLogin("mode=login", second);
    expect(await otherBrowser.signIn(sid)).toBe(200);
    expect((await browser.send("DELETE", path)).status).toBe(204);
    expect([await otherBrowser.userId(), await browser.userId()]).toEqual([null, userId]);
    const last = await browser.send("DELETE", `/api/account/credentials/${ownMethod?.id}`);
    expect([last.status, (await last.json()).error.code]).toEqual([409, "last_credential"]);
  });

  test("retains one sign-in method if requests to remove both are simultaneous", async () => {
    const { browser } = await signInBrowser(site().login);
    await addWallet(browser);
    const { signInMethods } = await accountOf(browser);
    const remove = ({ id }: { id: string }) => browser.send("DELETE", `/api/account/credentials/${id}`);
    const statuses = (await Promise.all(signInMethods.map(remove))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 409]);
    expect((await accountOf(browser)).signInMethods).toHaveLength(1);
  });

  test("requires a fresh sign-in for changes that outlive the session", async () => {
    const { browser, userId } = await signInBrowser(site().login);
    await addWallet(browser);
    const { signInMethods } = await accountOf(browser);
    const path = `/api/account/credentials/${signInMethods[1]?.id}`;
    await expireApprovals(userId);
    const refusal = await browser.send("DELETE", path);
    expect([refusal.status, (await refusal.json()).error.code]).toEqual([403, "approval_required"]);
    expect((await accountOf(browser)).signInMethods).toHaveLength(2);
    expect((await browser.send("PATCH", path, { label: "Named" })).status).toBe(204);
    expect((await browser.send("DELETE", "/api/account/sessions")).status).toBe(204);
  });

  test("lists no browsers after all of them have signed out", async () => {
    const { browser, wallet, userId } = await signInBrowser(site().login);
    const other = (await signInBrowser(site().login, wallet)).browser;
    const third = (await signInBrowser(site().login, wallet)).browser;
    const otherBrowser = (await accountOf(other)).browsers.find(({ isCurrent }) => isCurrent);
    const waitingLogin = await browser.answerLogin("mode=login", wallet);
    const otherLogin = await other.answerLogin("mode=login", wallet);
    expect((await browser.send("DELETE", `/api/account/sessions/${otherBrowser?.id}`)).status).toBe(204);
    expect([await other.userId(), await third.userId()]).toEqual([null, userId]);
    // Ends the logins in other browsers that the user's keys have answered, but not this browser's logins.
    expect([await other.signIn(otherLogin.sid), await browser.signIn(waitingLogin.sid)]).toEqual([401, 200]);
    expect((await browser.send("DELETE", "/api/account/sessions")).status).toBe(204);
    expect([await browser.userId(), await third.userId()]).toEqual([null, null]);
    const back = await signInBrowser(site().login, wallet);
    const { changes, newBrowsers } = await accountOf(back.browser);
    expect(changes).toMatchObject([{ kind: "signed_out_everywhere" }]);
    const ids = [...changes, ...newBrowsers].map(({ id }) => id);
    expect((await back.browser.send("POST", "/api/account/changes/dismiss", { ids })).status).toBe(204);
    expect(await accountOf(back.browser)).toMatchObject({ changes: [], newBrowsers: [] });
  });

  test("cannot gain a wallet that already has an account", async () => {
    const { browser } = await signInBrowser(site().login);
    const { wallet: takenWallet } = await signInBrowser(site().login);
    const { sid } = await browser.answerLogin("mode=login&intent=add", takenWallet);
    expect(await site().login.account.candidate(browser.headers, sid)).toMatchObject({ standing: "taken" });
    expect((await browser.send("POST", "/api/account/credentials", { sid })).status).toBe(409);
    expect((await accountOf(browser)).signInMethods).toHaveLength(1);
  });
});
