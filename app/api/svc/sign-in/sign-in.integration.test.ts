import { describe, expect, test } from "vitest";
import { answeredLogin, withAddedKey } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { answerApproval, isApproved, staleBrowser } from "#e2e/support/approval.ts";
import { databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";

/** `POST /api/svc/sign-in`: the session that NextAuth's `signIn` opens, in one request. */

const TOKEN = "next-auth.session-token";

const signIn = (browser: Client, body: unknown, headers: Record<string, string> = {}) =>
  browser.post("/api/svc/sign-in", body, headers);

/** A browser whose login a wallet with an account has answered. */
async function answered() {
  const { wallet, userId } = await signedIn(url);
  const browser = new Client(url);
  return { browser, userId, sid: await answeredLogin(wallet, browser) };
}

const expectRefused = async (browser: Client, body: unknown) =>
  expectApiError(await signIn(browser, body), 401, "session_not_found");

describe("an answered login", () => {
  test("is redeemed for the browser that started it, with NextAuth's own token, and says where to go", async () => {
    const { browser, sid, userId } = await answered();
    const response = await signIn(browser, { sid });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ redirect: "/dashboard" });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^${TOKEN}=eyJhbGciOi.+; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax$`),
      ),
    ]);
    for (const at of [url, otherUrl]) expect(await userIdOf(browser.copy(at))).toBe(userId);
    expect((await browser.fetch("/dashboard")).status).toBe(200);
  });

  test("is redeemed once, of any number at once over two processes, by either way", async () => {
    for (let round = 0; round < 6; round++) {
      const { browser, sid, userId } = await answered();
      const copies = Array.from({ length: 8 }, (_, index) => browser.copy(index % 2 ? url : otherUrl));
      await Promise.all(
        copies.map((copy, index) => (index % 4 === 3 ? copy.signIn("svc", sid) : signIn(copy, { sid }))),
      );
      expect(copies.filter(({ cookies }) => cookies.has(TOKEN))).toHaveLength(1);
      const open =
        "SELECT 1 FROM browser_session WHERE user_id = $1 AND created_at > now() - interval '1 min'";
      // The user's first browser, and this one.
      expect(await query(open, [userId])).toHaveLength(2);
    }
  });

  test("is had again by the same attempt of the same browser, and by no other", async () => {
    const { browser, sid, userId } = await answered();
    const attempt = "0123456789abcdef".repeat(2);
    const other = new Client(url);
    await expectRefused(other, { sid, attempt });
    await requestQr(other);
    await expectRefused(other, { sid, attempt });
    const [lost, later] = [browser.copy(otherUrl), browser.copy()];
    expect((await signIn(browser, { sid, attempt })).status).toBe(200);
    expect((await signIn(lost, { sid, attempt })).status).toBe(200);
    expect(await userIdOf(lost)).toBe(userId);
    await expectRefused(later, { sid });
    await expectRefused(later, { sid, attempt: attempt.replace("0", "1") });
  });
});

describe("nothing is redeemed", () => {
  test("that no wallet has answered, that is unknown, or that is of another flow", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    for (const each of [sid, "unknown", "", "x".repeat(5_000)]) await expectRefused(browser, { sid: each });
    const fast = await answeredFast(url);
    await expectRefused(fast.browser, { sid: fast.sid });
  });

  test("for a page of another site, nor for a form, which it could send", async () => {
    const { browser, sid } = await answered();
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ] as Record<string, string>[]) {
      await expectApiError(await signIn(browser, { sid }, headers), 403, "forbidden");
    }
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const form = await signIn(browser, { sid }, { "Content-Type": type });
      await expectApiError(form, 415, "unsupported_media_type");
    }
    expect(await userIdOf(browser)).toBeNull();
    expect((await signIn(browser, { sid }, { Origin: url, "Sec-Fetch-Site": "same-origin" })).status).toBe(
      200,
    );
  });

  test.each([[null], [[]], [{}], [{ sid: 1 }], [{ sid: ["x"] }], [{ sid: "x", attempt: 1 }]])(
    "for the body %j: 400",
    async (body) => {
      await expectApiError(await signIn(new Client(url), body), 400, "invalid_request");
    },
  );
});

test("a key that was added elsewhere stops at its question: nobody is signed in, and the answer says where it is", async () => {
  const { wallet } = await withAddedKey(url, "svc");
  const browser = new Client(url);
  const sid = await answeredLogin(wallet, browser);
  const response = await signIn(browser, { sid });
  expect(await response.json()).toEqual({ redirect: `/login/added?sid=${sid}` });
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await userIdOf(browser)).toBeNull();
});

test("an approval is redeemed by it, and ends the session that asked", async () => {
  const { browser, wallet } = await staleBrowser(url, databaseUrl);
  const copy = browser.copy();
  const sid = await answerApproval(browser, wallet);
  expect((await signIn(browser, { sid })).status).toBe(200);
  expect(await isApproved(browser)).toBe(true);
  expect(await userIdOf(copy)).toBeNull();
});
