import { describe, expect, test } from "vitest";
import { answerNewLogin } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  BINDING_COOKIE,
  CALLBACK_COOKIE,
  otherUrl,
  query,
  SESSION_COOKIE,
  url,
} from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";

/** Covers cases that the conformance kit does not check (sections 3.5 and 4.2). */

const signIn = (browser: Client, body: unknown, headers: Record<string, string> = {}) =>
  browser.post("/api/svc/sign-in", body, headers);

async function answeredLogin() {
  const { wallet, userId } = await signInBrowser(url);
  const browser = new Client(url);
  return { browser, userId, sid: await answerNewLogin(wallet, browser) };
}

const expectRefused = async (browser: Client, body: unknown) =>
  expectApiError(await signIn(browser, body), 401, "session_not_found");

describe("an answered login", () => {
  test("gives a NextAuth session token to the browser that started it", async () => {
    const { browser, sid, userId } = await answeredLogin();
    const response = await signIn(browser, { sid });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ redirect: "/dashboard" });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^${SESSION_COOKIE}=eyJhbGciOi.+; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax$`),
      ),
    ]);
    for (const at of [url, otherUrl]) expect(await readUserId(browser.copy(at))).toBe(userId);
    expect((await browser.fetch("/dashboard")).status).toBe(200);
  });

  test.each<[string, (browser: Client, sid: string, more?: { attempt: string }) => Promise<Response>]>([
    ['signIn("svc")', (browser, sid, more) => browser.signIn("svc", sid, more)],
    ["POST /api/svc/sign-in", (browser, sid, more) => signIn(browser, { sid, ...more })],
  ])("returns the same session when a browser repeats its attempt: %s", async (_how, enter) => {
    const { browser, sid } = await answerRegistration(url);
    const attempt = "0123456789abcdef".repeat(2);
    const expectNothing = async (response: Response) => {
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie().join()).not.toContain(SESSION_COOKIE);
    };
    const before = browser.copy();
    expect((await enter(browser, sid, { attempt })).status).toBe(200);
    const userId = await readUserId(browser);
    // Uses the previous cookies, as if the response had been lost.
    const secondCopy = before.copy(otherUrl);
    await expectNothing(await enter(secondCopy, sid));
    await expectNothing(await enter(secondCopy, sid, { attempt: attempt.replace("0", "1") }));
    expect((await enter(secondCopy, sid, { attempt })).status).toBe(200);
    expect(await readUserId(secondCopy)).toBe(userId);
    const sessions = "SELECT 1 FROM browser_session WHERE user_id = $1";
    expect(await query(sessions, [userId])).toHaveLength(1);
    // A client that knows only the attempt is refused. After a while, or after signing out, the browser itself is
    // refused too.
    await expectNothing(await enter(new Client(url), sid, { attempt }));
    const openedAgo = "UPDATE browser_session SET created_at = now() - $2::interval WHERE user_id = $1";
    await query(openedAgo, [userId, "61 seconds"]);
    await expectNothing(await enter(before, sid, { attempt }));
    await query(openedAgo, [userId, "0 seconds"]);
    await query("DELETE FROM browser_session WHERE user_id = $1", [userId]);
    await expectNothing(await enter(before, sid, { attempt }));
  });
});

test("uses the first of two binding cookies with the same name", async () => {
  const { browser, sid } = await answerRegistration(url);
  const planted = browser.copy();
  // A browser sends the cookie with the longest path first, so a neighbouring site's cookie can precede the site's own.
  const ownCookie = browser.cookies.get(BINDING_COOKIE) ?? "";
  const other = Buffer.alloc(32, 9).toString("base64url");
  planted.cookies.set(BINDING_COOKIE, `${other}; ${BINDING_COOKIE}=${ownCookie}`);
  expect((await planted.signIn("svc", sid)).status).toBe(401);
  expect((await browser.signIn("svc", sid)).status).toBe(200);
});

describe("POST /api/svc/sign-in", () => {
  test("does not redeem an unanswered or unknown login, or one from another flow", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    for (const sidToTry of [sid, "unknown", "", "x".repeat(5_000)])
      await expectRefused(browser, { sid: sidToTry });
    const fast = await answerFastLogin(url);
    await expectRefused(fast.browser, { sid: fast.sid });
  });

  test("does not redeem a login in response to a form submission", async () => {
    const { browser, sid } = await answeredLogin();
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const form = await signIn(browser, { sid }, { "Content-Type": type });
      await expectApiError(form, 415, "unsupported_media_type");
    }
    expect(await readUserId(browser)).toBeNull();
  });

  test.each([[null], [[]], [{}], [{ sid: 1 }], [{ sid: ["x"] }], [{ sid: "x", attempt: 1 }]])(
    "returns 400 for a malformed body: %j",
    async (body) => {
      await expectApiError(await signIn(new Client(url), body), 400, "invalid_request");
    },
  );
});

describe("NextAuth's endpoints", () => {
  test.each([
    ["half of a JSON body", "application/json", "{", 400],
    ["a JSON array", "application/json", "[]", 400],
    ["null", "application/json", "null", 400],
    ["an object as callbackUrl", "application/json", '{"callbackUrl":{}}', 400],
    ["NUL", "application/json", '{"sid":"\\u0000"}', 400],
    ["another content type", "text/xml", "<sid/>", 415],
    ["a body over 64 KB", "application/json", `{"sid":"${"x".repeat(70_000)}"}`, 413],
  ])("refuse a malformed request with a 4xx: %s", async (_name, type, body, status) => {
    const codes = { 400: "invalid_request", 413: "payload_too_large", 415: "unsupported_media_type" };
    for (const action of ["callback/svc", "signout", "signin/svc", "session"]) {
      const init = { method: "POST", headers: { "Content-Type": type }, body };
      const response = await new Client(url).fetch(`/api/auth/${action}`, init);
      await expectApiError(response, status, codes[status as keyof typeof codes]);
    }
  });

  test.each(["[", "http://[", "x:y", "//", "\u0001"])(
    "tolerate a malformed callbackUrl in the query or the cookie: %j",
    async (bad) => {
      const browser = new Client(url);
      browser.cookies.set(CALLBACK_COOKIE, encodeURIComponent(bad));
      const path = `/api/auth/csrf?callbackUrl=${encodeURIComponent(bad)}`;
      expect((await browser.fetch(path)).status).toBe(200);
      expect((await browser.fetch("/api/auth/session")).status).toBe(200);
    },
  );

  test("accept reports from NextAuth's client without logging them", async () => {
    const client = new Client(url);
    const report = await client.postForm("/api/auth/_log", {
      level: "error",
      code: "FORGED",
      client: "true",
    });
    expect([report.status, await report.json()]).toEqual([200, {}]);
    await expectApiError(await client.fetch("/api/auth/_log"), 405, "method_not_allowed");
  });

  test("return the session unchanged when NextAuth's client tries to update it", async () => {
    const { browser, userId } = await signInBrowser(url);
    const update = async (data: unknown) =>
      browser.post("/api/auth/session", { csrfToken: await browser.csrfToken(), data });
    for (const data of [{ name: "Mallory", user: { id: "1" }, browserSessionId: "another" }, undefined]) {
      const answer = await update(data);
      expect(answer.status).toBe(200);
      expect((await answer.json()).user).toEqual({ id: userId });
    }
    expect(await readUserId(browser)).toBe(userId);
  });

  test("ask for confirmation before signing out, on a page that works without scripts", async () => {
    const { browser } = await signInBrowser(url);
    const page = await browser.fetch("/api/auth/signout?callbackUrl=%2Fdocs");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    const html = await page.text();
    expect(html).toContain("<main>");
    const csrfToken = /name="csrfToken" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? "";
    const out = await browser.postForm("/api/auth/signout", { csrfToken });
    expect([out.status, out.headers.get("location")]).toEqual([302, `${url}/docs`]);
    expect(await readUserId(browser)).toBeNull();
  });

  test.each(["signin", "signin/svc", "error?error=Verification", "verify-request"])(
    "redirect NextAuth's own pages to the login: %s",
    async (page) => {
      const { status, headers } = await new Client(url).fetch(`/api/auth/${page}`);
      expect(status).toBe(302);
      expect(headers.get("location")).toMatch(/^(http:\/\/localhost:\d+)?\/login(\?|$)/);
    },
  );

  test.each(["/api/auth/", "/api/auth//", "/api/auth//session"])(
    "return 404 for a path that NextAuth does not have: %s",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        await expectApiError(await new Client(url).fetch(path, { method }), 404, "not_found");
      }
    },
  );
});
