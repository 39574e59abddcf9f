import { beforeEach, expect, test, vi } from "vitest";
import { createLogin } from "../index.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import type { FindOrCreateUser } from "./options.ts";
import { answeredLogin, cookiesOf, SETTINGS, SiteBrowser, startSite } from "./tests/site.fixture.ts";

/** The site's side: each call makes another id, so that a test sees which one was kept. */
const made: string[] = [];
const makeUser: FindOrCreateUser = async () => {
  made.push(`user-${made.length}`);
  return made.at(-1) ?? "";
};
const findOrCreateUser = vi.fn<FindOrCreateUser>();
const failures: string[] = [];

const site = startSite((databaseUrl) =>
  createLogin(async () => ({
    ...SETTINGS,
    databaseUrl,
    findOrCreateUser,
    onFailure: (message) => failures.push(message),
  })),
);
beforeEach(() => {
  made.length = 0;
  failures.length = 0;
  findOrCreateUser.mockReset().mockImplementation(makeUser);
});

async function sessionsOpen(): Promise<number> {
  return Number((await site().client.query("SELECT count(*) FROM browser_session")).rows[0].count);
}

/** A browser whose login a new wallet has answered; it signs in as the login page does. */
async function answered() {
  const browser = new SiteBrowser(site().login);
  const { sid } = await browser.answered("mode=register", new VirtualWallet());
  return { browser, signIn: () => browser.redeem(sid) };
}
const sessionOf = (browser: SiteBrowser) => browser.send("GET", "/api/auth/session");

test("two redemptions of a new user at once give one id, the first that was kept", async () => {
  const wallet = new VirtualWallet();
  const [one, other] = [await answeredLogin(site().login, wallet), await answeredLogin(site().login, wallet)];
  const redeemed = await Promise.all(
    [one, other].map(({ sid, cookie }) => site().login.redeem(new Headers({ cookie }), sid)),
  );
  const ids = new Set(redeemed.map((each) => each?.userId));
  expect(ids.size).toBe(1);
  expect(made).toContain([...ids][0]);
  const asked = findOrCreateUser.mock.calls.map(([{ userId }]) => userId);
  expect(new Set(asked).size).toBe(1);
  expect(findOrCreateUser).toHaveBeenCalledWith({
    userId: expect.any(Number),
    credential: expect.stringMatching(/^04[0-9a-f]{128}$/),
  });
});

test("a user who has an id is not asked about again, and another user gets another id", async () => {
  const wallet = new VirtualWallet();
  for (let times = 0; times < 2; times++) {
    const { sid, cookie } = await answeredLogin(site().login, wallet);
    expect(await site().login.redeem(new Headers({ cookie }), sid)).toMatchObject({ userId: "user-0" });
  }
  const other = await answeredLogin(site().login);
  expect(await site().login.redeem(new Headers({ cookie: other.cookie }), other.sid)).toMatchObject({
    userId: "user-1",
  });
});

test("NextAuth's session and currentSession have the site's id", async () => {
  const { browser, signIn } = await answered();
  expect((await signIn()).status).toBe(200);
  expect(await (await sessionOf(browser)).json()).toMatchObject({ user: { id: "user-0" } });
  expect(await browser.userId()).toBe("user-0");
});

test("NextAuth's session says when the browser session ends, however often its cookie is renewed", async () => {
  const { browser, signIn } = await answered();
  await signIn();
  const move = "UPDATE browser_session SET expires_at = now() + interval '1 hour' RETURNING id, expires_at";
  const ends = (await site().client.query(move)).rows.map((row) => row.expires_at.toISOString());
  const { expires } = await (await sessionOf(browser)).json();
  expect(ends).toContain(expires);
  expect((await (await sessionOf(browser)).json()).expires).toBe(expires);
});

test("a hook that fails signs nobody in, and the login can be redeemed again", async () => {
  findOrCreateUser.mockRejectedValueOnce(new Error("secret cause"));
  const before = await sessionsOpen();
  const { sid, cookie } = await answeredLogin(site().login);
  const browser = new Headers({ cookie });
  await expect(site().login.redeem(browser, sid)).rejects.toMatchObject({
    code: "service_unavailable",
    message: "Your account could not be opened. Try again in a moment.",
  });
  expect(failures).toEqual([expect.stringMatching(/^findOrCreateUser failed for user \d+$/)]);
  expect(await sessionsOpen()).toBe(before);
  expect(await site().login.redeem(browser, sid)).toMatchObject({ userId: "user-0" });
});

test("a sign-in whose hook fails is answered 503, sets no session, tells no cause, and can be repeated", async () => {
  findOrCreateUser.mockRejectedValueOnce(new Error("secret cause"));
  const { signIn } = await answered();
  const failed = await signIn();
  expect(failed.status).toBe(503);
  expect(failed.headers.get("Retry-After")).toBe("2");
  expect(cookiesOf(failed)).not.toContain("session-token");
  expect(await failed.text()).not.toContain("secret cause");
  expect((await signIn()).status).toBe(200);
});

test.each([[""], ["a".repeat(256)], ["a\0b"], [7], [undefined]])(
  "a hook that returns %j has failed",
  async (id) => {
    findOrCreateUser.mockResolvedValueOnce(id as string);
    const { sid, cookie } = await answeredLogin(site().login);
    await expect(site().login.redeem(new Headers({ cookie }), sid)).rejects.toMatchObject({ status: 503 });
  },
);

test("a session without an id, opened before the site had the hook, gets one at its next request", async () => {
  const { browser, signIn } = await answered();
  await signIn();
  await site().client.query("DELETE FROM site_user");
  for (let times = 0; times < 2; times++) findOrCreateUser.mockRejectedValueOnce(new Error("not now"));
  await expect(browser.userId()).rejects.toMatchObject({ status: 503 });
  const failed = await sessionOf(browser);
  expect([failed.status, cookiesOf(failed)]).toEqual([503, ""]);
  expect(await (await sessionOf(browser)).json()).toMatchObject({ user: { id: "user-1" } });
  expect(await browser.userId()).toBe("user-1");
});

test("an answered login is redeemed once, by the browser that started it", async () => {
  const { sid, cookie } = await answeredLogin(site().login);
  const stranger = await answeredLogin(site().login);
  expect(await site().login.redeem(new Headers(), sid)).toBeNull();
  expect(await site().login.redeem(new Headers({ cookie: stranger.cookie }), sid)).toBeNull();
  expect(findOrCreateUser).not.toHaveBeenCalled();
  const browser = new Headers({ cookie });
  const [first, second] = await Promise.all([
    site().login.redeem(browser, sid),
    site().login.redeem(browser, sid),
  ]);
  // Both may have asked for a user; the site keeps one answer, whichever came first.
  const redeemed = [first, second].filter((each) => each !== null);
  expect(redeemed).toEqual([{ userId: expect.any(String), browserSessionId: expect.any(String) }]);
  expect(made).toContain(redeemed[0]?.userId);
  expect(await site().login.redeem(browser, sid)).toBeNull();
});

test.each(["", "\0", "a'b", "é", "a".repeat(15_000)])("%j names no login", async (sid) => {
  const { cookie } = await answeredLogin(site().login);
  expect(await site().login.redeem(new Headers({ cookie }), sid)).toBeNull();
});
