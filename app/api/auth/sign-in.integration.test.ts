import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { registered, requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TOKEN = "next-auth.session-token";

/** Where a browser is sent after its post, as NextAuth's client reads it. */
async function destinationOf(response: Response): Promise<string> {
  return new URL((await response.json()).url).href;
}

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.getSetCookie().join()).not.toContain(TOKEN);
  expect(await destinationOf(response)).toContain("error=CredentialsSignin");
}

function sessionsOf(sid: string) {
  return sql(
    databaseUrl,
    `SELECT browser_session.id FROM browser_session JOIN login_session USING (user_id) WHERE sid = $1`,
    [sid],
  );
}

describe('signIn("svc", { sid })', () => {
  test("signs in the browser that holds the cookie, in every process", async () => {
    const { browser, userId, sid } = await signedIn(url);
    expect(userId).toEqual(expect.any(Number));
    const elsewhere = browser.copy(otherUrl);
    expect(await userIdOf(elsewhere)).toBe(userId);
    expect(await sessionsOf(sid)).toHaveLength(1);
  });

  test("refuses a browser with another's cookie, and leaves the login to its own", async () => {
    const { browser, sid } = await registered(url);
    const thief = new Client(url);
    await requestQr(thief);
    await expectRefused(await thief.signIn("svc", sid));
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });

  test("refuses a thief who was signed in himself by another login", async () => {
    const thief = await signedIn(url);
    const { sid } = await registered(url);
    await expectRefused(await thief.browser.signIn("svc", sid));
    expect(await userIdOf(thief.browser)).toBe(thief.userId);
  });

  test("gives a browser that had no answer the session that it opened, for the same attempt alone", async () => {
    const { browser, sid } = await registered(url);
    const attempt = "0123456789abcdef".repeat(2);
    const before = browser.copy();
    expect((await browser.signIn("svc", sid, { attempt })).status).toBe(200);
    const userId = await userIdOf(browser);
    // As if nothing had come back: the cookies of before.
    const again = before.copy(otherUrl);
    await expectRefused(await again.signIn("svc", sid));
    await expectRefused(await again.signIn("svc", sid, { attempt: attempt.replace("0", "1") }));
    expect((await again.signIn("svc", sid, { attempt })).status).toBe(200);
    expect(await userIdOf(again)).toBe(userId);
    expect(await sessionsOf(sid)).toHaveLength(1);
    // Neither somebody who only knows the attempt, nor the browser itself once it was long ago or has signed out.
    await expectRefused(await new Client(url).signIn("svc", sid, { attempt }));
    await sql(
      databaseUrl,
      `UPDATE browser_session SET created_at = created_at - interval '61 seconds' WHERE user_id = $1`,
      [userId],
    );
    await expectRefused(await before.signIn("svc", sid, { attempt }));
    await sql(databaseUrl, "UPDATE browser_session SET created_at = now() WHERE user_id = $1", [userId]);
    await sql(databaseUrl, "DELETE FROM browser_session WHERE user_id = $1", [userId]);
    await expectRefused(await before.signIn("svc", sid, { attempt }));
  });

  test("refuses a login that was left for ten minutes", async () => {
    const { browser, sid } = await registered(url);
    await ageLogin(databaseUrl, sid, 601);
    await expectRefused(await browser.signIn("svc", sid));
  });

  test.each(["", "unknown", "\0", "\ud800", "' OR 1=1 --", "a".repeat(60_000), "../../etc/passwd"])(
    "refuses the sid %j without a word about why",
    async (sid) => {
      const browser = new Client(url);
      await requestQr(browser);
      await expectRefused(await browser.signIn("svc", sid));
    },
  );

  test("needs the CSRF token", async () => {
    const { browser, sid } = await registered(url);
    await browser.fetch("/api/auth/csrf");
    for (const csrfToken of ["", "wrong"]) {
      const response = await browser.postForm("/api/auth/callback/svc", { csrfToken, sid, json: "true" });
      expect(response.headers.getSetCookie().join()).not.toContain(TOKEN);
      expect(await destinationOf(response)).toContain("csrf=true");
    }
    expect(await userIdOf(browser)).toBeNull();
  });

  test.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "http://localhost.evil.example/",
    "http://localhost:1/",
    "http://localhost@evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/api/auth/signout",
    "[",
  ])("never leads to the callbackUrl %j", async (callbackUrl) => {
    const query = `?callbackUrl=${encodeURIComponent(callbackUrl)}`;
    for (const [path, fields] of [
      ["/api/auth/callback/svc", { callbackUrl }],
      [`/api/auth/callback/svc${query}`, {}],
    ] as const) {
      const { browser, sid } = await registered(url);
      const csrfToken = await browser.csrfToken();
      const response = await browser.postForm(path, { csrfToken, sid, json: "true", ...fields });
      expect(response.status).toBe(200);
      const destination = new URL(await destinationOf(response));
      expect(destination.origin).toBe(url);
      expect(destination.pathname).not.toMatch(/^\/api\//);
    }
  });
});
