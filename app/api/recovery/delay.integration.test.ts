import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  answerRecovery,
  confirmCodes,
  createCodes,
  createUserWithCodes,
  openRecovery,
  readHistory,
  readSignInMethods,
  recover,
  startRecovery,
  WRONG_CODE,
} from "#e2e/support/recovery.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { readUserId, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import { NEXTAUTH_SECRET, startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/**
 * Two processes share one database. `app` creates the recovery codes; `waiting` has a delay of one day, an HTTPS
 * `APP_URL` and a newer secret.
 */

const app = startOwnApp();
let waitingServer: RunningServer;
/** A user whose recovery was due before the tests began, so that the job completes it. */
let lostUser: { wallet: TestWallet; userId: number | null };

beforeAll(async () => {
  waitingServer = await startApp({
    DATABASE_URL: app.databaseUrl,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
    APP_URL: "https://recover.example.com",
    RECOVERY_DELAY_HOURS: "24",
    // `app` has already migrated the database.
    MIGRATE_ON_START: "false",
    NEXTAUTH_SECRET: "another secret that this process seals with",
    NEXTAUTH_SECRET_PREVIOUS: NEXTAUTH_SECRET,
  });
  const { codes, userId } = await createUserWithCodes(app.url);
  const { wallet } = await recover(waitingServer.url, codes[0]);
  await endDelay(userId);
  lostUser = { wallet, userId };
});
afterAll(() => waitingServer?.stop());

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  sql<Row>(app.databaseUrl, text, values);

const endDelay = (userId: number | null) =>
  query("UPDATE recovery SET takes_effect_at = now() - interval '1 minute' WHERE user_id = $1", [userId]);

const keysOf = (userId: number | null) => readSignInMethods(app.databaseUrl, userId);

test("accepts recovery codes made with the previous secret during a rotation", async () => {
  const { codes: before, wallet, userId } = await createUserWithCodes(app.url);
  expect((await openRecovery(new Client(waitingServer.url), before[0])).status).toBe(200);
  expect((await openRecovery(new Client(waitingServer.url), WRONG_CODE)).status).toBe(401);
  const { browser } = await signInBrowser(waitingServer.url, wallet);
  const page = async () => (await browser.fetch("/dashboard/recovery")).text();
  expect(await page()).toContain("This site is changing its secret");
  const codes = await createCodes(browser);
  expect((await confirmCodes(browser, codes)).status).toBe(200);
  expect(await page()).not.toContain("This site is changing its secret");
  expect((await openRecovery(new Client(waitingServer.url), codes[0])).status).toBe(200);
  expect((await signInBrowser(waitingServer.url, wallet)).userId).toBe(userId);
});

describe("a recovery with a delay", () => {
  /** Returns a user with a pending recovery at `waiting`, and the user's old browser, which is still signed in. */
  async function pending() {
    const { codes, userId, wallet } = await createUserWithCodes(app.url);
    const { browser: oldBrowser } = await signInBrowser(waitingServer.url, wallet);
    const recovery = await recover(waitingServer.url, codes[0]);
    expect(recovery.signIn.status).toBe(401);
    return { codes, userId, lost: wallet, old: oldBrowser, ...recovery };
  }
  const plain = async (browser: Client, path: string) =>
    (await (await browser.fetch(path)).text()).replaceAll("<!-- -->", "");

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

  test("reports when it will take effect as soon as the new key is chosen", async () => {
    const { codes, userId } = await createUserWithCodes(app.url);
    const browser = await startRecovery(waitingServer.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const message = await refusedSignIn(browser, sid);
    expect(message).toContain(`The recovery waits until ${await waitsUntil(userId)}`);
  });

  test("waits a day without signing anyone in or out", async () => {
    const { userId, old, browser, signIn } = await pending();
    // The cookie is valid for 30 days after the recovery is due, so that this browser can show the outcome.
    const line = signIn.headers.getSetCookie().find((header) => header.startsWith("__Host-svc-recovery="));
    expect(line).toMatch(/=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    const hours = Number(/Max-Age=(\d+)/.exec(line ?? "")?.[1]) / 3600;
    expect(Math.abs(hours - 31 * 24)).toBeLessThan(0.1);
    expect(await readUserId(browser)).toBeNull();
    expect(await readUserId(old)).toBe(userId);
    expect(await keysOf(userId)).toHaveLength(1);
    expect(await plain(old, "/dashboard/recovery")).toContain("Your account is being recovered");
    expect(await readHistory(app.databaseUrl, userId)).toContain("recovery_pending");
  });

  test("cannot be replaced by a second recovery", async () => {
    const { userId, codes, wallet } = await pending();
    const blocked = `Another recovery of this account waits until ${await waitsUntil(userId)}.`;
    const browser = await startRecovery(waitingServer.url, codes[1]);
    // The page already shows this message. If a key answers anyway, its sign-in returns the same message.
    expect(await plain(browser, "/recover")).toContain("Another recovery of this account is waiting");
    const { sid } = await answerRecovery(browser, new TestWallet());
    expect(await refusedSignIn(browser, sid)).toContain(blocked);
    expect(await refusedSignIn(browser, randomUUID())).not.toContain("recovery");
    // A browser without this recovery's cookie, or with another account's, does not learn about the recovery.
    const stranger = browser.copy();
    stranger.cookies.delete("__Host-svc-recovery");
    const { codes: otherCodes } = await createUserWithCodes(app.url);
    for (const other of [stranger, await startRecovery(waitingServer.url, otherCodes[0])]) {
      expect(await refusedSignIn(other, sid)).not.toContain("recovery");
      expect(await plain(other, "/recover")).not.toContain("Another recovery");
    }
    const pendingRows = await query<{ credential: string }>(
      "SELECT credential FROM recovery WHERE user_id = $1 AND takes_effect_at IS NOT NULL",
      [userId],
    );
    expect(pendingRows).toEqual([{ credential: wallet.publicKey }]);
  });

  test("is cancelled if its new key is registered for another account in the meantime", async () => {
    const { userId, browser, wallet, codes } = await pending();
    const other = await signInBrowser(waitingServer.url, wallet);
    await endDelay(userId);
    expect(await plain(browser, "/recover")).toContain("The recovery was cancelled");
    expect(other.userId).not.toBe(userId);
    expect((await signInBrowser(waitingServer.url, wallet)).userId).toBe(other.userId);
    expect((await openRecovery(new Client(waitingServer.url), codes[0])).status).toBe(200);
  });

  test("takes effect within about a minute of its due time, even if its browser is closed", async () => {
    const recoveredKeys = async () => (await keysOf(lostUser.userId)).map(({ value }) => value);
    await expect
      .poll(recoveredKeys, { timeout: 90_000, interval: 1_000 })
      .toContain(lostUser.wallet.publicKey);
    expect(await query("SELECT 1 FROM browser_session WHERE user_id = $1", [lostUser.userId])).toEqual([]);
  });
});
