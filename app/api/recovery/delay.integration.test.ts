import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answeredLogin } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { ageApprovals } from "#e2e/support/approval.ts";
import {
  answerRecovery,
  confirmCodes,
  newCodes,
  openRecovery,
  readHistory,
  readKeys,
  recover,
  recovering,
  userWithCodes,
  WRONG_CODE,
} from "#e2e/support/recovery.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { NEXTAUTH_SECRET, startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/**
 * Recovery that waits: two processes on one database. Codes are made at `app`; `waiting` waits a day, is https as far
 * as it knows, and has changed its secret since.
 */

const app = startOwnApp();
let waiting: RunningServer;
/** A recovery that was due before the tests began, for the job to find. */
let left: { wallet: TestWallet; userId: number | null };

beforeAll(async () => {
  waiting = await startApp({
    DATABASE_URL: app.databaseUrl,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
    APP_URL: "https://recover.example.com",
    RECOVERY_DELAY_HOURS: "24",
    NEXTAUTH_SECRET: "another secret that this process seals with",
    NEXTAUTH_SECRET_PREVIOUS: NEXTAUTH_SECRET,
  });
  const { codes, userId } = await userWithCodes(app.url);
  const { wallet } = await recover(waiting.url, codes[0]);
  await letDelayPass(userId);
  left = { wallet, userId };
});
afterAll(() => waiting?.stop());

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  sql<Row>(app.databaseUrl, text, values);

const letDelayPass = (userId: number | null) =>
  query("UPDATE recovery SET takes_effect_at = now() - interval '1 minute' WHERE user_id = $1", [userId]);

const historyOf = (userId: number | null) => readHistory(app.databaseUrl, userId);
const keysOf = (userId: number | null) => readKeys(app.databaseUrl, userId);

describe("a code of another process", () => {
  test("work under the secret before while it is being changed", async () => {
    const { codes } = await userWithCodes(app.url);
    expect((await openRecovery(new Client(waiting.url), codes[0])).status).toBe(200);
    expect((await openRecovery(new Client(waiting.url), WRONG_CODE)).status).toBe(401);
  });

  test("is told to be ageing under the secret before, until new ones are made under the new secret", async () => {
    const { wallet, userId } = await userWithCodes(app.url);
    const { browser } = await signedIn(waiting.url, wallet);
    const page = async () => (await browser.fetch("/dashboard/recovery")).text();
    expect(await page()).toContain("This site is changing its secret");
    const codes = await newCodes(browser);
    expect((await confirmCodes(browser, codes)).status).toBe(200);
    expect(await page()).not.toContain("This site is changing its secret");
    expect((await openRecovery(new Client(waiting.url), codes[0])).status).toBe(200);
    expect((await signedIn(waiting.url, wallet)).userId).toBe(userId);
  });
});

describe("with a delay", () => {
  /** A user of `waiting` whose recovery waits, and a browser that is signed in. */
  async function pending() {
    const { codes, userId, wallet } = await userWithCodes(app.url);
    const { browser: old } = await signedIn(waiting.url, wallet);
    const recovery = await recover(waiting.url, codes[0]);
    expect(recovery.signIn.status).toBe(401);
    return { codes, userId, lost: wallet, old, ...recovery };
  }
  const cancel = (browser: Client) => browser.delete("/api/account/recovery");
  const plain = async (browser: Client, path: string) =>
    (await (await browser.fetch(path)).text()).replaceAll("<!-- -->", "");

  /** Signs in as the page does. @returns what the refusal says */
  async function refusedSignIn(browser: Client, sid: string): Promise<string> {
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const response = await browser.post("/api/svc/sign-in", { sid }, headers);
    const { error } = await response.clone().json();
    await expectApiError(response, 401, "session_not_found");
    return error.message;
  }
  async function waitsUntil(userId: number | null): Promise<string | undefined> {
    const pending =
      "SELECT takes_effect_at AS at FROM recovery WHERE user_id = $1 AND takes_effect_at IS NOT NULL";
    return (await query<{ at: Date }>(pending, [userId]))[0]?.at.toISOString();
  }

  test("the sign-in that chooses the key says until when it waits", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(waiting.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const message = await refusedSignIn(browser, sid);
    expect(message).toContain(`the recovery waits until ${await waitsUntil(userId)}`);
  });

  test("it waits a day: nobody is signed in or out, and the account's pages show it in a signed-in browser", async () => {
    const { userId, old, browser, wallet, signIn } = await pending();
    const left = "SELECT extract(epoch FROM takes_effect_at - now())::int AS seconds FROM recovery";
    const [row] = await query<{ seconds: number }>(`${left} WHERE user_id = $1`, [userId]);
    expect(Math.abs(Number(row?.seconds) - 24 * 3600)).toBeLessThan(60);
    // The cookie outlasts the wait by thirty days: its browser may read what became of it.
    const line = signIn.headers.getSetCookie().find((each) => each.startsWith("__Host-svc-recovery="));
    expect(line).toMatch(/=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    const hours = Number(/Max-Age=(\d+)/.exec(line ?? "")?.[1]) / 3600;
    expect(Math.abs(hours - 31 * 24)).toBeLessThan(0.1);
    expect(await userIdOf(browser)).toBeNull();
    expect(await userIdOf(old)).toBe(userId);
    expect(await keysOf(userId)).toHaveLength(1);
    for (const path of ["/dashboard", "/dashboard/recovery", "/console/test/keys"]) {
      expect(await plain(old, path)).toContain("Your account is being recovered with one of your codes");
    }
    expect(await plain(old, "/dashboard")).toContain(wallet.fingerprint());
    // The page of the person who recovers survives being closed.
    expect(await plain(browser, "/recover")).toContain("Your recovery waits");
    expect(await historyOf(userId)).toContain("recovery_pending");
  });

  test("any signed-in browser of the user cancels it, without an approval, and nobody else does", async () => {
    const { userId, old, browser, wallet, codes } = await pending();
    await ageApprovals(app.databaseUrl, userId, 601);
    await expectApiError(await cancel(new Client(waiting.url)), 401, "not_signed_in");
    await expectApiError(await cancel((await signedIn(waiting.url)).browser), 404, "not_found");
    expect((await cancel(old)).status).toBe(204);
    await expectApiError(await cancel(old), 404, "not_found");
    await letDelayPass(userId);
    expect(await plain(browser, "/recover")).toContain("The recovery was cancelled");
    expect(await keysOf(userId)).toHaveLength(1);
    expect(await plain(old, "/dashboard")).not.toContain("is being recovered");
    expect(await historyOf(userId)).toContain("recovery_cancelled");
    expect(await query("SELECT 1 FROM credential WHERE value = $1", [wallet.publicKey])).toEqual([]);
    // A thief of a browser cannot use up its owner's codes by cancelling.
    expect((await openRecovery(new Client(waiting.url), codes[0])).status).toBe(200);
  });

  test("whoever starts one to lock the owner out is stopped: the owner's keys work, and new codes end it", async () => {
    const { userId, lost, browser, codes } = await pending();
    const owner = await signedIn(waiting.url, lost);
    expect(owner.userId).toBe(userId);
    await newCodes(owner.browser);
    await letDelayPass(userId);
    expect(await plain(browser, "/recover")).toContain("The recovery was cancelled");
    expect(await historyOf(userId)).toContain("recovery_cancelled");
    await expectApiError(await openRecovery(new Client(waiting.url), codes[1]), 401, "invalid_recovery_code");
    expect(await keysOf(userId)).toHaveLength(1);
  });

  test("a second one does not take the place of the one that waits", async () => {
    const { userId, codes, wallet } = await pending();
    const blocked = `Another recovery of this account waits until ${await waitsUntil(userId)}.`;
    const browser = await recovering(waiting.url, codes[1]);
    // Its page says so at once, and so does the sign-in of a key that answered all the same.
    expect(await plain(browser, "/recover")).toContain("Another recovery of this account waits");
    const { sid } = await answerRecovery(browser, new TestWallet());
    expect(await refusedSignIn(browser, sid)).toContain(blocked);
    expect(await refusedSignIn(browser, randomUUID())).not.toContain("recovery");
    // Nobody else reads it: not without the recovery's cookie, nor with another account's.
    const stranger = browser.copy();
    stranger.cookies.delete("__Host-svc-recovery");
    const { codes: otherCodes } = await userWithCodes(app.url);
    for (const other of [stranger, await recovering(waiting.url, otherCodes[0])]) {
      expect(await refusedSignIn(other, sid)).not.toContain("recovery");
      expect(await plain(other, "/recover")).not.toContain("Another recovery");
    }
    const waits = await query<{ credential: string }>(
      "SELECT credential FROM recovery WHERE user_id = $1 AND takes_effect_at IS NOT NULL",
      [userId],
    );
    expect(waits).toEqual([{ credential: wallet.publicKey }]);
  });

  test("takes effect once the time has come, as one without: the page that recovered says so", async () => {
    const { userId, old, browser, wallet, codes } = await pending();
    await letDelayPass(userId);
    expect(await plain(browser, "/recover")).toContain("Your account is recovered");
    expect(await userIdOf(old)).toBeNull();
    expect(await userIdOf(browser)).toBeNull();
    // Another browser is asked first, the one that recovered is not.
    const other = new Client(waiting.url);
    await other.signIn("svc", await answeredLogin(wallet, other));
    expect(await userIdOf(other)).toBeNull();
    await browser.signIn("svc", await answeredLogin(wallet, browser));
    expect(await userIdOf(browser)).toBe(userId);
    await other.signIn("svc", await answeredLogin(wallet, other));
    expect(await userIdOf(other)).toBeNull();
    await expectApiError(await openRecovery(new Client(waiting.url), codes[0]), 401, "invalid_recovery_code");
  });

  test("gives up on a key that has got an account meanwhile, and leaves that account and the code alone", async () => {
    const { userId, browser, wallet, codes } = await pending();
    const other = await signedIn(waiting.url, wallet);
    await letDelayPass(userId);
    expect(await plain(browser, "/recover")).toContain("The recovery was cancelled");
    expect(other.userId).not.toBe(userId);
    expect((await signedIn(waiting.url, wallet)).userId).toBe(other.userId);
    expect((await openRecovery(new Client(waiting.url), codes[0])).status).toBe(200);
  });

  test("takes effect without its browser too, within a minute or so", async () => {
    const recovered = async () => (await keysOf(left.userId)).map(({ value }) => value);
    await expect.poll(recovered, { timeout: 90_000, interval: 1_000 }).toContain(left.wallet.publicKey);
    expect(await query("SELECT 1 FROM browser_session WHERE user_id = $1", [left.userId])).toEqual([]);
  });
});
