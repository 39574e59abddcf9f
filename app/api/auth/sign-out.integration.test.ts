import { describe, expect, test } from "vitest";
import { answeredLogin, latestSessionPath, signOutEverywhere, withAddedKey } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { answerChallenge } from "#e2e/support/approval.ts";
import { databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/**
 * Signing out means out: no login in progress brings the browser back (docs/protocol.md#43-signing-out). Beside what the
 * conformance kit asks of signing out (sections 4.3 and 6.4).
 */

const COOKIE = "svc-browser";

test("signing out everywhere takes the browser's binding cookie and its logins too, and nobody else's", async () => {
  const browser = new Client(url);
  const fast = await answeredLogin(new FastWallet(), browser);
  const pendingFast = await requestFastQr(browser);
  const { sid, challenge } = await requestQr(browser, "register");
  const wallet = new TestWallet();
  await new Client(url).post("/webhook/register", wallet.response(challenge));
  expect((await browser.signIn("svc", sid)).status).toBe(200);
  const answered = await answeredLogin(wallet, browser);
  const pending = await requestQr(browser);
  // An added key stopped at its question here.
  const asking = await answeredLogin((await withAddedKey(url, "svc")).wallet, browser);
  expect((await (await browser.signIn("svc", asking)).json()).url).toContain("/login/added");
  const bystander = new Client(url);
  const others = await answeredLogin((await signedIn(url)).wallet, bystander);

  // The next person at the same browser has kept every cookie that signing out takes away.
  const next = new Client(otherUrl);
  next.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");
  const response = await signOutEverywhere(browser);
  const [line] = response.headers.getSetCookie().filter((each) => each.startsWith(`${COOKIE}=`));
  expect(line).toMatch(/^svc-browser=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
  expect(await userIdOf(browser)).toBeNull();
  for (const each of [answered, asking]) {
    expect((await next.signIn("svc", each)).status).toBe(401);
    expect((await next.fetch(`/api/svc/check?sid=${each}`)).status).toBe(404);
  }
  await next.postForm("/api/account/added-key", { sid: asking, decision: "continue" });
  expect(await userIdOf(next)).toBeNull();
  expect((await enterDashboard(next, fast)).path).toBe("/fast?problem=not-signed-in");
  const left = "SELECT 1 FROM login_session WHERE sid = ANY($1)";
  expect(await query(left, [[pendingFast.sid, pending.sid]])).toEqual([]);
  await expectApiError(await answerChallenge(url, wallet, pending.challenge), 408, "challenge_expired");
  expect((await bystander.signIn("svc", others)).status).toBe(200);
});

describe("signing out", () => {
  test("where nobody is signed in, or not any more, takes the cookie and ends the browser's logins too", async () => {
    const { wallet, browser: ended } = await signedIn(url);
    await signOutEverywhere((await signedIn(otherUrl, wallet)).browser);
    for (const browser of [ended, new Client(url)]) {
      const { challenge } = await requestQr(browser);
      const answered = await answeredLogin(wallet, browser);
      const next = browser.copy(otherUrl);
      await browser.signOut();
      expect(browser.cookies.has(COOKIE)).toBe(false);
      await expectApiError(await answerChallenge(url, wallet, challenge), 408, "challenge_expired");
      expect((await next.signIn("svc", answered)).status).toBe(401);
    }
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
  test("revokes another browser of the user at once, and no more", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    const { browser: second } = await signedIn(url, wallet);
    const response = await browser.delete(await latestSessionPath(databaseUrl, userId));
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const elsewhere = second.copy(otherUrl);
    expect((await elsewhere.fetch("/dashboard")).headers.get("location")).toContain("/login");
    expect(await userIdOf(elsewhere)).toBeNull();
    expect((await browser.fetch("/dashboard")).status).toBe(200);
  });

  test("answers 404 for whatever is no session of the user", async () => {
    const { browser } = await signedIn(url);
    for (const id of ["unknown", "00000000-0000-0000-0000-000000000000", "%F0%9F%99%82", "' OR 1=1"]) {
      await expectApiError(await browser.delete(`/api/account/sessions/${id}`), 404, "session_not_found");
    }
  });

  test("ends what the user's keys and addresses have answered in other browsers", async () => {
    for (const all of [true, false]) {
      const { browser, wallet, userId } = await signedIn(url);
      const lost = (await signedIn(url, wallet)).browser;
      const answered = await answeredLogin(wallet, lost);
      const elsewhere = new Client(url);
      const third = await answeredLogin(wallet, elsewhere);
      const path = all ? "/api/account/sessions" : await latestSessionPath(databaseUrl, userId);
      expect((await browser.delete(path)).status).toBe(204);
      expect(await userIdOf(lost)).toBeNull();
      expect((await lost.signIn("svc", answered)).status).toBe(401);
      expect((await elsewhere.signIn("svc", third)).status).toBe(401);
    }
    const address = new FastWallet();
    const first = new Client(url);
    await enterDashboard(first, await answeredLogin(address, first));
    const second = new Client(url);
    const waiting = await answeredLogin(address, second);
    expect((await signOutEverywhere(first)).status).toBe(204);
    expect((await enterDashboard(second, waiting)).path).toBe("/fast?problem=not-signed-in");
  });

  test("of another browser ends its add codes, and leaves the logins of this one alone", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    const lost = (await signedIn(url, wallet)).browser;
    const { challenge } = await requestQr(lost, "login", undefined, "add");
    const sid = await answeredLogin(wallet, browser);
    expect((await browser.delete(await latestSessionPath(databaseUrl, userId))).status).toBe(204);
    await expectApiError(await answerChallenge(url, new TestWallet(), challenge), 408, "challenge_expired");
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });
});
