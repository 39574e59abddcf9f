import { describe, expect, test } from "vitest";
import { answerAddCode } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import {
  answerRecovery,
  createCodes,
  createUserWithCodes,
  openRecovery,
  readSignInMethods,
  recover,
  startRecovery,
  WRONG_CODE,
} from "#e2e/support/recovery.ts";
import { databaseUrl, query, RECOVERY_COOKIE, url } from "#e2e/support/test-apps.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId, signInBrowser } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/**
 * The endpoints are tested in packages/login/plugins/recovery/recovery.integration.test.ts, and each condition in the
 * store's tests.
 */

const keysOf = (userId: number | null) => readSignInMethods(databaseUrl, userId);

const checkCode = (browser: Client, code: string) =>
  browser.post("/api/account/recovery-codes/check", { code });

async function expectWrong(response: Response | Promise<Response>): Promise<void> {
  await expectApiError(await response, 401, "invalid_recovery_code");
}

/** Omits the history on the same page. */
async function changesShown(browser: Client): Promise<string> {
  const page = await (await browser.fetch("/dashboard")).text();
  return page.split('id="changes"')[1]?.split("</section>")[0] ?? "";
}

async function recovered(code: string) {
  const { browser, wallet, signIn } = await recover(url, code);
  await expectStatus(signIn);
  return { browser, wallet };
}

async function answeredRecovery(wallet = new TestWallet()) {
  const { codes, userId } = await createUserWithCodes(url);
  const browser = await startRecovery(url, codes[0]);
  const { sid, response } = await answerRecovery(browser, wallet);
  await expectStatus(response);
  return { codes, userId, browser, sid, wallet };
}

describe("recovery codes", () => {
  test("are always exactly two, even if two requests create them simultaneously", async () => {
    const { browser, userId } = await signInBrowser(url);
    for (let round = 0; round < 5; round++) {
      await Promise.all([1, 2, 3, 4].map(() => createCodes(browser)));
      expect(await query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(2);
    }
  });

  test("can be checked by their user without being spent, up to five times an hour", async () => {
    const { browser, codes } = await createUserWithCodes(url);
    await expectApiError(await checkCode(new Client(url), codes[0]), 401, "not_signed_in");
    await expectWrong(checkCode((await signInBrowser(url)).browser, codes[0]));
    for (let times = 0; times < 4; times++) {
      expect(await (await checkCode(browser, codes[0])).json()).toEqual({ status: "active" });
    }
    await expectWrong(checkCode(browser, WRONG_CODE));
    await expectApiError(await checkCode(browser, codes[0]), 429, "rate_limited");
    // Recovering the account has a separate limit.
    browser.cookies.clear();
    expect((await openRecovery(browser, codes[0])).status).toBe(200);
  });
});

test.each([[{}], [{ code: 5 }], [{ code: null }], [[]]])(
  "rejects a malformed recovery code with 400: %j",
  async (body) => {
    await expectApiError(await new Client(url).post("/api/recovery", body), 400, "invalid_request");
  },
);

describe("the QR code for a recovery's new key", () => {
  test("lets the user reject another person's key and request a new code", async () => {
    const { userId, browser, sid: relayed, wallet: thief } = await answeredRecovery();
    const page = await (await browser.fetch(`/recover?sid=${relayed}`)).text();
    expect(page).toContain(thief.fingerprint());
    expect(await keysOf(userId)).toHaveLength(1);
    // The thief's own browser cannot sign in either.
    expect((await new Client(url).signIn("svc", relayed)).status).toBe(401);
    const { sid } = await answerRecovery(browser, new TestWallet());
    expect(sid).not.toBe(relayed);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect((await keysOf(userId)).map(({ value }) => value)).not.toContain(thief.publicKey);
  });

  test("does not move a victim's key to another account if an attacker has planted a recovery cookie", async () => {
    const attacker = await createUserWithCodes(url);
    const planted = (await startRecovery(url, attacker.codes[0])).cookies.get(RECOVERY_COOKIE) ?? "";
    const { browser, sid, wallet } = await answerRegistration(url);
    browser.cookies.set(RECOVERY_COOKIE, planted);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await keysOf(await readUserId(browser))).toEqual([{ value: wallet.publicKey, before: false }]);
    expect(await keysOf(attacker.userId)).toHaveLength(1);
    const page = await (await browser.fetch("/recover")).text();
    expect(page.replaceAll("<!-- -->", "")).toContain(
      `You are recovering the account of user ${attacker.userId}.`,
    );
  });
});

describe("a recovery without a delay", () => {
  test("is announced in the account's signed-in browsers as soon as it starts", async () => {
    const { browser: oldBrowser, codes, wallet: lostWallet } = await createUserWithCodes(url);
    await startRecovery(url, codes[0]);
    expect(await changesShown(oldBrowser)).toContain("Recovery started with one of your codes");
    const { browser } = await recovered(codes[0]);
    const otherBrowser = await signInBrowser(url, lostWallet);
    const tasks = "You recovered this account";
    expect(await (await browser.fetch("/dashboard")).text()).toContain(tasks);
    expect(await changesShown(browser)).not.toContain("Account recovered");
    expect(await changesShown(otherBrowser.browser)).toContain("Account recovered");
    expect(await (await otherBrowser.browser.fetch("/dashboard")).text()).not.toContain(tasks);
  });

  test("also marks a key that a session is adding at the same time as older than the recovery", async () => {
    const { browser: oldBrowser, codes, userId, wallet: lostWallet } = await createUserWithCodes(url);
    const addedWallet = new TestWallet();
    const addition = await answerAddCode(oldBrowser, addedWallet);
    const wallet = new TestWallet();
    const browser = await startRecovery(url, codes[0]);
    const { sid } = await answerRecovery(browser, wallet);
    const lockLogin = "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE";
    const lock = await holdLock(databaseUrl, lockLogin, [addition]);
    // The request has already checked its session, and the recovery that ends this session does not see the new key
    // yet.
    const addRequest = oldBrowser.post("/api/account/credentials", { sid: addition });
    await lock.waiting(1);
    const signingIn = browser.signIn("svc", sid);
    await lock.waiting(2);
    await lock.release();
    expect((await addRequest).status).toBe(201);
    expect((await signingIn).status).toBe(200);
    expect(await keysOf(userId)).toEqual(
      expect.arrayContaining([
        { value: lostWallet.publicKey, before: true },
        { value: addedWallet.publicKey, before: true },
        { value: wallet.publicKey, before: false },
      ]),
    );
    expect(await readUserId(oldBrowser)).toBeNull();
  });

  test("ends only the hosted logins that the user's keys have answered", async () => {
    const { codes, wallet: lostWallet } = await createUserWithCodes(url);
    const { wallet: others } = await signInBrowser(url);
    const [ownAttempt, other] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [sid, { publicKey }] of [
      [ownAttempt, lostWallet],
      [other, others],
    ] as const) {
      await query(
        `INSERT INTO hosted_login (session_id, browser_hash, created_at, event_id, public_key, authenticated_at)
         VALUES ($1, '\\x01', now(), $1, $2, now())`,
        [sid, publicKey],
      );
    }
    await recovered(codes[0]);
    const findLogins = "SELECT session_id FROM hosted_login WHERE session_id = ANY($1)";
    expect(await query(findLogins, [[ownAttempt, other]])).toEqual([{ session_id: other }]);
  });

  test("does not run again if the sign-in request is repeated", async () => {
    const { userId, browser, sid } = await answeredRecovery();
    const before = browser.copy();
    const attempt = { attempt: "0123456789abcdef".repeat(2) };
    expect((await browser.signIn("svc", sid, attempt)).status).toBe(200);
    expect(browser.cookies.has(RECOVERY_COOKIE)).toBe(false);
    // Repeats the request with the previous cookies, as if the response had been lost.
    expect((await before.signIn("svc", sid, attempt)).status).toBe(200);
    expect(await readUserId(before)).toBe(userId);
    expect(await keysOf(userId)).toHaveLength(2);
  });

  test("accepts a Bitcoin address as the new sign-in method", async () => {
    const { codes, userId } = await createUserWithCodes(url);
    const browser = await startRecovery(url, codes[0]);
    const { qr, sid } = await requestFastQr(browser, { intent: "recover" });
    expect(new URL(qr).searchParams.get("intent")).toBe("recover");
    const wallet = new FastWallet();
    expect((await postWalletForm(new Client(url), qr, wallet.fields(qr))).status).toBe(200);
    expect((await browser.signIn("fast", sid)).status).toBe(200);
    expect(await readUserId(browser)).toBe(userId);
    // A Bitcoin address that already has an account cannot be used to recover another account.
    const other = await startRecovery(url, codes[1]);
    const secondCode = await requestFastQr(other, { intent: "recover" });
    expect((await postWalletForm(new Client(url), secondCode.qr, wallet.fields(secondCode.qr))).status).toBe(
      401,
    );
  });
});
