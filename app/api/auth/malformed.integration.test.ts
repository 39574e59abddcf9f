import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { userIdOf } from "#scripts/kit/login.ts";

const [url] = inject("appUrls");
const TOKEN = "next-auth.session-token";

describe("NextAuth's endpoints take what is malformed for a mistake of the caller", () => {
  test.each([
    ["half of a JSON body", "application/json", "{", 400],
    ["a JSON array", "application/json", "[]", 400],
    ["null", "application/json", "null", 400],
    ["an object as callbackUrl", "application/json", '{"callbackUrl":{}}', 400],
    ["NUL", "application/json", '{"sid":"\\u0000"}', 400],
    ["another content type", "text/xml", "<sid/>", 415],
  ])("%s", async (_name, type, body, status) => {
    for (const action of ["callback/svc", "signout", "signin/svc", "session"]) {
      const response = await new Client(url).fetch(`/api/auth/${action}`, {
        method: "POST",
        headers: { "Content-Type": type },
        body,
      });
      const code = status === 415 ? "unsupported_media_type" : "invalid_request";
      await expectApiError(response, status, code);
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

  test.each(["x", "%E0%A4%A", "a.b.c.d.e", "eyJhbGciOiJub25lIn0..", "a".repeat(4000)])(
    "the session token %.20s",
    async (token) => {
      const browser = new Client(url);
      browser.cookies.set(TOKEN, token);
      browser.cookies.set("next-auth.csrf-token", token);
      expect(await userIdOf(browser)).toBeNull();
    },
  );

  test.each(["unknown", "callback/unknown", "signin/x/y/z", "callback/__proto__"])(
    "the action %s",
    async (action) => {
      const response = await new Client(url).fetch(`/api/auth/${action}`);
      expect(response.status).toBeLessThan(500);
    },
  );

  test("a log line of a stranger's is not taken", async () => {
    const response = await new Client(url).post("/api/auth/_log", { level: "error", code: "FORGED" });
    await expectApiError(response, 404, "not_found");
  });

  test("a body over 64 KB", async () => {
    const response = await new Client(url).post("/api/auth/callback/svc", { sid: "x".repeat(70_000) });
    await expectApiError(response, 413, "payload_too_large");
  });
});
