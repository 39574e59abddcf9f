import { encode } from "next-auth/jwt";
import { describe, expect, test } from "vitest";
import { createLogin } from "../index.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import { SITE_SETTINGS, SiteBrowser, signInBrowser, startSite } from "./tests/site.fixture.ts";

/** The browser also has cookies of other sites on the same host. */

const site = startSite((databaseUrl) =>
  createLogin(async () => ({ ...SITE_SETTINGS, origin: new URL("http://localhost:3421"), databaseUrl })),
);

const TOKEN = "next-auth.session-token";
const OWN_TOKEN = `port-3421-${TOKEN}`;

/** A site on port 3000 has set these cookies, under the names that older versions used. */
async function cookiesOfOtherSites(): Promise<[string, string][]> {
  const secret = "another secret of the same length";
  return [
    ["svc-browser", "n".repeat(43)],
    ["svc-known-browser", "n".repeat(22)],
    [TOKEN, await encode({ token: { browserSessionId: "theirs", userId: 1 }, secret })],
  ];
}

const REDEMPTIONS: [string, (browser: SiteBrowser, sid: string) => Promise<Response>][] = [
  ["NextAuth", (browser, sid) => browser.redeem(sid)],
  ["POST /api/svc/sign-in", (browser, sid) => browser.send("POST", "/api/svc/sign-in", { sid })],
];

describe.each(REDEMPTIONS)("a sign-in with %s", (_how, redeem) => {
  test("does not change the cookies of other sites on the same host", async () => {
    const { login } = site();
    const browser = new SiteBrowser(login);
    const neighbours = await cookiesOfOtherSites();
    for (const [name, value] of neighbours) browser.cookies.set(name, value);
    const { sid } = await browser.answerLogin("mode=register", new VirtualWallet());
    expect((await redeem(browser, sid)).status).toBe(200);
    expect(await browser.userId()).not.toBeNull();
    const { csrfToken } = await (await browser.send("GET", "/api/auth/csrf")).json();
    await browser.send("POST", "/api/auth/signout", new URLSearchParams({ csrfToken, json: "true" }));
    expect(await browser.userId()).toBeNull();
    expect([...browser.cookies]).toEqual(expect.arrayContaining(neighbours));
  });

  test("removes the remaining parts of a previous token from the browser", async () => {
    const { login } = site();
    const browser = new SiteBrowser(login);
    for (const part of [0, 1]) browser.cookies.set(`${OWN_TOKEN}.${part}`, "left");
    const { sid } = await browser.answerLogin("mode=register", new VirtualWallet());
    expect((await redeem(browser, sid)).status).toBe(200);
    expect([...browser.cookies.keys()].filter((name) => name.startsWith(OWN_TOKEN))).toEqual([OWN_TOKEN]);
    expect(await (await browser.send("GET", "/api/auth/session")).json()).toHaveProperty("user");
  });
});

test("prevents NextAuth from joining the session's token with parts of a previous token", async () => {
  const { browser, userId } = await signInBrowser(site().login);
  for (const name of [OWN_TOKEN, TOKEN]) browser.cookies.set(`${name}.0`, "left");
  const session = await (await browser.send("GET", "/api/auth/session")).json();
  expect(session.user).toEqual({ id: userId });
  expect(await browser.userId()).toBe(userId);
});

describe("a browser that an older version signed in", () => {
  test("stays signed in, and gets the cookie's current name with the next response", async () => {
    const { browser, userId } = await signInBrowser(site().login);
    const token = browser.cookies.get(OWN_TOKEN) ?? "";
    browser.cookies.delete(OWN_TOKEN);
    browser.cookies.set(TOKEN, token);
    expect(await browser.userId()).toBe(userId);
    const session = await (await browser.send("GET", "/api/auth/session")).json();
    expect(session.user).toEqual({ id: userId });
    expect(browser.cookies.has(OWN_TOKEN)).toBe(true);
    expect(browser.cookies.has(TOKEN)).toBe(false);
    expect(await browser.userId()).toBe(userId);
  });

  test("is signed out when its user signs out or signs in again", async () => {
    const { browser } = await signInBrowser(site().login);
    browser.cookies.set(TOKEN, browser.cookies.get(OWN_TOKEN) ?? "");
    browser.cookies.delete(OWN_TOKEN);
    const other = new VirtualWallet();
    const { sid } = await browser.answerLogin("mode=register", other);
    expect(await browser.signIn(sid)).toBe(200);
    expect(browser.cookies.has(TOKEN)).toBe(false);
    const { csrfToken } = await (await browser.send("GET", "/api/auth/csrf")).json();
    await browser.send("POST", "/api/auth/signout", new URLSearchParams({ csrfToken, json: "true" }));
    expect(await browser.userId()).toBeNull();
  });

  test("remains a known browser under the cookie's current name", async () => {
    const browser = new SiteBrowser(site().login);
    browser.cookies.set("svc-known-browser", "w".repeat(22));
    await browser.send("GET", "/api/svc/qr");
    expect(browser.cookies.get("port-3421-svc-known-browser")).toBe("w".repeat(22));
  });
});
