import { describe, expect, inject, test } from "vitest";
import { answeredLogin, withAddedKey } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { APPROVAL_SECONDS, ageApprovals, answerApproval, isApproved } from "#e2e/support/approval.ts";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** `POST /api/svc/sign-in`: the session that NextAuth's `signIn` opens, in one request. */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const ATTEMPT = "0123456789abcdef".repeat(2);
const TOKEN = "next-auth.session-token";

const signIn = (browser: Client, body: unknown, headers: Record<string, string> = {}) =>
  browser.post("/api/svc/sign-in", body, headers);

/** A browser whose login a wallet with an account has answered. */
async function answered() {
  const { wallet, userId } = await signedIn(url);
  const browser = new Client(url);
  return { browser, wallet, userId, sid: await answeredLogin(wallet, browser) };
}

const refusedAs = (browser: Client, sid: unknown) => async () =>
  expectApiError(await signIn(browser, { sid }), 401, "session_not_found");

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
      expect(await sql(databaseUrl, open, [userId])).toHaveLength(2);
    }
  });

  test("is had again by the same attempt of the same browser, whose answer was lost", async () => {
    const { browser, sid, userId } = await answered();
    const before = browser.copy(otherUrl);
    const other = browser.copy();
    expect((await signIn(browser, { sid, attempt: ATTEMPT })).status).toBe(200);
    expect((await signIn(before, { sid, attempt: ATTEMPT })).status).toBe(200);
    expect(await userIdOf(before)).toBe(userId);
    await refusedAs(other, sid)();
    await expectApiError(
      await signIn(other, { sid, attempt: ATTEMPT.replace("0", "1") }),
      401,
      "session_not_found",
    );
  });

  test("of another browser, with its own cookie or none, is nothing", async () => {
    const { browser, sid, userId } = await answered();
    const other = new Client(url);
    await refusedAs(other, sid)();
    await requestQr(other);
    await refusedAs(other, sid)();
    expect((await signIn(browser, { sid })).status).toBe(200);
    expect(await userIdOf(browser)).toBe(userId);
  });

  test("is over after ten minutes", async () => {
    const { browser, sid } = await answered();
    await ageLogin(databaseUrl, sid, 601);
    await refusedAs(browser, sid)();
  });
});

describe("nothing is redeemed", () => {
  test("that no wallet has answered, that is unknown, or that is of another flow", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    for (const each of [sid, "unknown", "", "x".repeat(5_000)]) await refusedAs(browser, each)();
    const fast = await answeredFast(url, new FastWallet());
    await refusedAs(fast.browser, fast.sid)();
  });

  test.each([
    ["Origin", "https://evil.example"],
    ["Origin", "null"],
    ["Sec-Fetch-Site", "cross-site"],
    ["Sec-Fetch-Site", "same-site"],
  ])("for a page of another site: %s: %s", async (name, value) => {
    const { browser, sid } = await answered();
    await expectApiError(await signIn(browser, { sid }, { [name]: value }), 403, "forbidden");
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

  test("for a form, which another site's page could send: 415", async () => {
    const { browser, sid } = await answered();
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const response = await browser.fetch("/api/svc/sign-in", {
        method: "POST",
        headers: { "Content-Type": type },
        body: JSON.stringify({ sid }),
      });
      await expectApiError(response, 415, "unsupported_media_type");
    }
    expect(await userIdOf(browser)).toBeNull();
  });
});

test("failures are limited to sixty a minute and client, and never keep the browser from a sign-in that succeeds", async () => {
  const { browser, sid } = await answered();
  const statuses: number[] = [];
  for (let index = 0; index < 62; index++) {
    statuses.push((await signIn(new Client(url, browser.address), { sid: "unknown" })).status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  const refused = await signIn(new Client(url, browser.address), { sid: "unknown" });
  await expectApiError(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn(browser, { sid })).status).toBe(200);
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
  const { browser, wallet, userId } = await signedIn(url, new TestWallet());
  await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
  const copy = browser.copy();
  const sid = await answerApproval(browser, wallet);
  expect((await signIn(browser, { sid })).status).toBe(200);
  expect(await isApproved(browser)).toBe(true);
  expect(await userIdOf(copy)).toBeNull();
});
