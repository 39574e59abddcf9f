import { describe, expect, inject, test } from "vitest";
import { answeredLogin, withAddedKey } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** Signing out means out: no login in progress brings the browser back (docs/protocol.md#43-signing-out). */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const COOKIE = "svc-browser";

/** The next person at the same browser, who has kept every cookie that sign-out would take away. */
function keptBy(browser: Client): Client {
  const next = new Client(otherUrl);
  next.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");
  return next;
}

const endSessions = (browser: Client, path = "") =>
  browser.fetch(`/api/account/sessions${path}`, { method: "DELETE" });

async function otherSessionId(browser: Client, userId: number | null): Promise<string> {
  const rows = await sql<{ id: string }>(
    databaseUrl,
    "SELECT id FROM browser_session WHERE user_id = $1 ORDER BY created_at DESC",
    [userId],
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(await userIdOf(browser)).toBe(userId);
  return rows[0]?.id ?? "";
}

describe.each([
  ["signing out", (browser: Client) => browser.signOut()],
  ["signing out everywhere", (browser: Client) => endSessions(browser)],
] as const)("%s", (_, leave) => {
  test("takes the browser's binding cookie away", async () => {
    const { browser } = await signedIn(url);
    await requestQr(browser);
    expect(browser.cookies.has(COOKIE)).toBe(true);
    const response = await leave(browser);
    expect(response.status).toBeLessThan(300);
    const [line] = response.headers.getSetCookie().filter((each) => each.startsWith(`${COOKIE}=`));
    expect(line).toMatch(/^svc-browser=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    expect(await userIdOf(browser)).toBeNull();
  });

  test("ends a login that a wallet has answered: nobody redeems it at this browser", async () => {
    const { browser, wallet } = await signedIn(url);
    const strangersKey = await answeredLogin((await signedIn(url)).wallet, browser);
    const own = await answeredLogin(wallet, browser);
    const next = keptBy(browser);
    await leave(browser);
    for (const sid of [own, strangersKey]) {
      expect((await next.signIn("svc", sid)).status).toBe(401);
      expect((await next.fetch(`/api/svc/check?sid=${sid}`)).status).toBe(404);
    }
    expect(await userIdOf(next)).toBeNull();
  });

  test("ends one that none has answered: its code is dead", async () => {
    const { browser, wallet } = await signedIn(url);
    const { challenge } = await requestQr(browser);
    await leave(browser);
    const response = await new Client(url).post("/webhook/login", wallet.response(challenge));
    await expectApiError(response, 408, "challenge_expired");
  });

  test("ends one of fast login, answered or not", async () => {
    const browser = new Client(url);
    const wallet = new FastWallet();
    const answered = await answeredLogin(wallet, browser);
    const { sid: first } = await requestFastQr(browser);
    const key = new TestWallet();
    const { challenge, sid } = await requestQr(browser, "register");
    await new Client(url).post("/webhook/register", key.response(challenge));
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    const next = keptBy(browser);
    await leave(browser);
    expect((await enterDashboard(next, answered)).path).toBe("/fast?problem=not-signed-in");
    const rows = await sql(databaseUrl, "SELECT 1 FROM login_session WHERE sid = $1", [first]);
    expect(rows).toEqual([]);
  });

  test("ends the question that an added key stopped at", async () => {
    const { wallet } = await withAddedKey(url, "svc");
    const { browser } = await signedIn(url);
    const sid = await answeredLogin(wallet, browser);
    expect((await (await browser.signIn("svc", sid)).json()).url).toContain("/login/added");
    const next = keptBy(browser);
    await leave(browser);
    await next.postForm("/api/account/added-key", { sid, decision: "continue" });
    expect(await userIdOf(next)).toBeNull();
  });

  test("leaves the logins of other people's browsers alone", async () => {
    const other = new Client(url);
    const sid = await answeredLogin((await signedIn(url)).wallet, other);
    await leave((await signedIn(url)).browser);
    expect((await other.signIn("svc", sid)).status).toBe(200);
  });
});

describe("signing out", () => {
  test("leaves the user's login at another browser alone", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    const second = new Client(url);
    const sid = await answeredLogin(wallet, second);
    await browser.signOut();
    expect((await second.signIn("svc", sid)).status).toBe(200);
    expect(await userIdOf(second)).toBe(userId);
  });

  test.each<[string, (wallet: TestWallet) => Promise<Client>]>([
    [
      "whose session was ended from another",
      async (wallet) => {
        const { browser } = await signedIn(url, wallet);
        await endSessions((await signedIn(otherUrl, wallet)).browser);
        return browser;
      },
    ],
    ["where nobody was signed in", async () => new Client(url)],
  ])("at a browser %s takes its cookie and ends its logins too", async (_, prepare) => {
    const { wallet } = await signedIn(url);
    const browser = await prepare(wallet);
    const { challenge } = await requestQr(browser);
    const answered = await answeredLogin(wallet, browser);
    const next = keptBy(browser);
    await browser.signOut();
    expect(browser.cookies.has(COOKIE)).toBe(false);
    const late = await new Client(url).post("/webhook/login", wallet.response(challenge));
    await expectApiError(late, 408, "challenge_expired");
    expect((await next.signIn("svc", answered)).status).toBe(401);
  });

  test("without NextAuth's token changes nothing", async () => {
    const { browser, wallet } = await signedIn(url);
    const sid = await answeredLogin(wallet, browser);
    const response = await browser.postForm("/api/auth/signout", { csrfToken: "wrong", json: "true" });
    expect(response.headers.getSetCookie().join()).not.toContain(COOKIE);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });
});

describe("revoking sessions", () => {
  test("ends what the user's keys and addresses have answered in other browsers", async () => {
    for (const all of [true, false]) {
      const wallet = new TestWallet();
      const { browser, userId } = await signedIn(url, wallet);
      const lost = (await signedIn(url, wallet)).browser;
      const answered = await answeredLogin(wallet, lost);
      const elsewhere = new Client(url);
      const third = await answeredLogin(wallet, elsewhere);
      const path = all ? "" : `/${await otherSessionId(browser, userId)}`;
      expect((await endSessions(browser, path)).status).toBe(204);
      expect(await userIdOf(lost)).toBeNull();
      expect((await lost.signIn("svc", answered)).status).toBe(401);
      expect((await elsewhere.signIn("svc", third)).status).toBe(401);
    }
    const address = new FastWallet();
    const first = new Client(url);
    await enterDashboard(first, await answeredLogin(address, first));
    const second = new Client(url);
    const waiting = await answeredLogin(address, second);
    expect((await endSessions(first)).status).toBe(204);
    expect((await enterDashboard(second, waiting)).path).toBe("/fast?problem=not-signed-in");
  });

  test("of another browser leaves the logins of this one alone", async () => {
    const wallet = new TestWallet();
    const { browser, userId } = await signedIn(url, wallet);
    await signedIn(url, wallet);
    const sid = await answeredLogin(wallet, browser);
    const response = await endSessions(browser, `/${await otherSessionId(browser, userId)}`);
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });

  test("ends the add codes of a session that ends", async () => {
    const wallet = new TestWallet();
    const { browser, userId } = await signedIn(url, wallet);
    const lost = (await signedIn(url, wallet)).browser;
    const { challenge } = await (await lost.fetch("/api/svc/qr?intent=add")).json();
    await endSessions(browser, `/${await otherSessionId(browser, userId)}`);
    const response = await new Client(url).post("/webhook/login", new TestWallet().response(challenge));
    await expectApiError(response, 408, "challenge_expired");
  });
});
