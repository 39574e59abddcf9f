import { beforeEach, expect, test, vi } from "vitest";
import { createLogin } from "../index.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import type { FindOrCreateUser } from "./options.ts";
import {
  answerNewLogin,
  formatCookieHeader,
  SITE_SETTINGS,
  SiteBrowser,
  startSite,
} from "./tests/site.fixture.ts";

/** Each call returns a different id, so that tests can see which id was stored. */
const hookIds: string[] = [];
const makeUser: FindOrCreateUser = async () => {
  hookIds.push(`user-${hookIds.length}`);
  return hookIds.at(-1) ?? "";
};
const findOrCreateUser = vi.fn<FindOrCreateUser>();
const failures: string[] = [];

const site = startSite((databaseUrl) =>
  createLogin(async () => ({
    ...SITE_SETTINGS,
    databaseUrl,
    findOrCreateUser,
    onFailure: (message) => failures.push(message),
  })),
);
beforeEach(() => {
  hookIds.length = 0;
  failures.length = 0;
  findOrCreateUser.mockReset().mockImplementation(makeUser);
});

async function sessionsOpen(): Promise<number> {
  return Number((await site().client.query("SELECT count(*) FROM browser_session")).rows[0].count);
}

async function answeredLogin() {
  const browser = new SiteBrowser(site().login);
  const { sid } = await browser.answerLogin("mode=register", new VirtualWallet());
  return { browser, signIn: () => browser.redeem(sid) };
}
const sessionOf = (browser: SiteBrowser) => browser.send("GET", "/api/auth/session");

test("returns the same id if two logins of a new user are redeemed simultaneously", async () => {
  const wallet = new VirtualWallet();
  const [one, other] = [
    await answerNewLogin(site().login, wallet),
    await answerNewLogin(site().login, wallet),
  ];
  const outcomes = await Promise.all(
    [one, other].map(({ sid, cookie }) => site().login.redeem(new Headers({ cookie }), sid)),
  );
  const ids = new Set(outcomes.map((outcome) => outcome?.userId));
  expect(ids.size).toBe(1);
  expect(hookIds).toContain([...ids][0]);
  const requestedUsers = findOrCreateUser.mock.calls.map(([{ userId }]) => userId);
  expect(new Set(requestedUsers).size).toBe(1);
  expect(findOrCreateUser).toHaveBeenCalledWith({
    userId: expect.any(Number),
    credential: expect.stringMatching(/^04[0-9a-f]{128}$/),
  });
});

test("returns the same id each time a user signs in", async () => {
  const wallet = new VirtualWallet();
  for (let times = 0; times < 2; times++) {
    const { sid, cookie } = await answerNewLogin(site().login, wallet);
    expect(await site().login.redeem(new Headers({ cookie }), sid)).toMatchObject({ userId: "user-0" });
  }
  const other = await answerNewLogin(site().login);
  expect(await site().login.redeem(new Headers({ cookie: other.cookie }), other.sid)).toMatchObject({
    userId: "user-1",
  });
});

test("puts the site's id in NextAuth's session and in currentSession", async () => {
  const { browser, signIn } = await answeredLogin();
  expect((await signIn()).status).toBe(200);
  expect(await (await sessionOf(browser)).json()).toMatchObject({ user: { id: "user-0" } });
  expect(await browser.userId()).toBe("user-0");
});

test("puts the browser session's expiry in NextAuth's session, even after a renewal", async () => {
  const { browser, signIn } = await answeredLogin();
  await signIn();
  const move = "UPDATE browser_session SET expires_at = now() + interval '1 hour' RETURNING id, expires_at";
  const ends = (await site().client.query(move)).rows.map((row) => row.expires_at.toISOString());
  const { expires } = await (await sessionOf(browser)).json();
  expect(ends).toContain(expires);
  expect((await (await sessionOf(browser)).json()).expires).toBe(expires);
});

test("refuses to redeem a login if the hook fails, and allows a retry", async () => {
  findOrCreateUser.mockRejectedValueOnce(new Error("secret cause"));
  const before = await sessionsOpen();
  const { sid, cookie } = await answerNewLogin(site().login);
  const browser = new Headers({ cookie });
  await expect(site().login.redeem(browser, sid)).rejects.toMatchObject({
    code: "service_unavailable",
    message: "You could not be signed in to your account. Try again in a moment.",
  });
  expect(failures).toEqual([expect.stringMatching(/^findOrCreateUser failed for user \d+$/)]);
  expect(await sessionsOpen()).toBe(before);
  expect(await site().login.redeem(browser, sid)).toMatchObject({ userId: "user-0" });
});

test("returns 503 for a sign-in whose hook fails, and allows a retry", async () => {
  findOrCreateUser.mockRejectedValueOnce(new Error("secret cause"));
  const { signIn } = await answeredLogin();
  const response = await signIn();
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(formatCookieHeader(response)).not.toContain("session-token");
  expect(await response.text()).not.toContain("secret cause");
  expect((await signIn()).status).toBe(200);
});

test.each([[""], ["a".repeat(256)], ["a\0b"], [7], [undefined]])(
  "treats an invalid id from the hook as a failure: %j",
  async (id) => {
    findOrCreateUser.mockResolvedValueOnce(id as string);
    const { sid, cookie } = await answerNewLogin(site().login);
    await expect(site().login.redeem(new Headers({ cookie }), sid)).rejects.toMatchObject({ status: 503 });
  },
);

test("adds the site's id at the next request to a session that is older than the hook", async () => {
  const { browser, signIn } = await answeredLogin();
  await signIn();
  await site().client.query("DELETE FROM site_user");
  for (let times = 0; times < 2; times++) findOrCreateUser.mockRejectedValueOnce(new Error("not now"));
  await expect(browser.userId()).rejects.toMatchObject({ status: 503 });
  const failed = await sessionOf(browser);
  expect([failed.status, formatCookieHeader(failed)]).toEqual([503, ""]);
  expect(await (await sessionOf(browser)).json()).toMatchObject({ user: { id: "user-1" } });
  expect(await browser.userId()).toBe("user-1");
});

test("redeems an answered login once, for the browser that started it", async () => {
  const { sid, cookie } = await answerNewLogin(site().login);
  const stranger = await answerNewLogin(site().login);
  expect(await site().login.redeem(new Headers(), sid)).toBeNull();
  expect(await site().login.redeem(new Headers({ cookie: stranger.cookie }), sid)).toBeNull();
  expect(findOrCreateUser).not.toHaveBeenCalled();
  const browser = new Headers({ cookie });
  const [first, second] = await Promise.all([
    site().login.redeem(browser, sid),
    site().login.redeem(browser, sid),
  ]);
  // Both requests might have created a user, but only the first result is stored.
  const redeemed = [first, second].filter((outcome) => outcome !== null);
  expect(redeemed).toEqual([{ userId: expect.any(String), browserSessionId: expect.any(String) }]);
  expect(hookIds).toContain(redeemed[0]?.userId);
  expect(await site().login.redeem(browser, sid)).toBeNull();
});

test.each(["", "\0", "a'b", "é", "a".repeat(15_000)])("does not redeem a login for %j", async (sid) => {
  const { cookie } = await answerNewLogin(site().login);
  expect(await site().login.redeem(new Headers({ cookie }), sid)).toBeNull();
});
