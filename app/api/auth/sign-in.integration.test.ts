import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { registered, userIdOf } from "#scripts/kit/login.ts";

/** NextAuth's own endpoints, beside what the conformance kit asks (sections 3.5 and 4.2). */

const TOKEN = "next-auth.session-token";

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.getSetCookie().join()).not.toContain(TOKEN);
  expect((await response.json()).url).toContain("error=CredentialsSignin");
}

describe('signIn("svc", { sid })', () => {
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
    const sessions = "SELECT 1 FROM browser_session WHERE user_id = $1";
    expect(await query(sessions, [userId])).toHaveLength(1);
    // Neither somebody who only knows the attempt, nor the browser itself once it was long ago or has signed out.
    await expectRefused(await new Client(url).signIn("svc", sid, { attempt }));
    const openedAgo = "UPDATE browser_session SET created_at = now() - $2::interval WHERE user_id = $1";
    await query(openedAgo, [userId, "61 seconds"]);
    await expectRefused(await before.signIn("svc", sid, { attempt }));
    await query(openedAgo, [userId, "0 seconds"]);
    await query("DELETE FROM browser_session WHERE user_id = $1", [userId]);
    await expectRefused(await before.signIn("svc", sid, { attempt }));
  });

  test("of two cookies with one name the first counts: planting one denies a login and gives none", async () => {
    const { browser, sid } = await registered(url);
    const planted = browser.copy();
    // What a neighbour plants is sent first, where its path is longer.
    const own = browser.cookies.get("svc-browser") ?? "";
    planted.cookies.set("svc-browser", `${Buffer.alloc(32, 9).toString("base64url")}; svc-browser=${own}`);
    expect((await planted.signIn("svc", sid)).status).toBe(401);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });
});

describe("what is malformed is a mistake of the caller", () => {
  test.each([
    ["half of a JSON body", "application/json", "{", 400],
    ["a JSON array", "application/json", "[]", 400],
    ["null", "application/json", "null", 400],
    ["an object as callbackUrl", "application/json", '{"callbackUrl":{}}', 400],
    ["NUL", "application/json", '{"sid":"\\u0000"}', 400],
    ["another content type", "text/xml", "<sid/>", 415],
    ["a body over 64 KB", "application/json", `{"sid":"${"x".repeat(70_000)}"}`, 413],
  ])("%s", async (_name, type, body, status) => {
    const codes = { 400: "invalid_request", 413: "payload_too_large", 415: "unsupported_media_type" };
    for (const action of ["callback/svc", "signout", "signin/svc", "session"]) {
      const init = { method: "POST", headers: { "Content-Type": type }, body };
      const response = await new Client(url).fetch(`/api/auth/${action}`, init);
      await expectApiError(response, status, codes[status as keyof typeof codes]);
    }
  });

  test.each(["[", "http://[", "x:y", "//", "\u0001"])(
    "the callbackUrl %j in the query and in the cookie",
    async (bad) => {
      const browser = new Client(url);
      browser.cookies.set("next-auth.callback-url", encodeURIComponent(bad));
      const path = `/api/auth/csrf?callbackUrl=${encodeURIComponent(bad)}`;
      expect((await browser.fetch(path)).status).toBe(200);
      expect((await browser.fetch("/api/auth/session")).status).toBe(200);
    },
  );

  test("a log line of a stranger's is not taken", async () => {
    const response = await new Client(url).post("/api/auth/_log", { level: "error", code: "FORGED" });
    await expectApiError(response, 404, "not_found");
  });

  test.each(["/api/auth/", "/api/auth//", "/api/auth//session"])("nothing is at %s", async (path) => {
    for (const method of ["GET", "POST"]) {
      await expectApiError(await new Client(url).fetch(path, { method }), 404, "not_found");
    }
  });
});
