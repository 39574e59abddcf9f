import { describe, expect, test } from "vitest";
import {
  addCredential,
  addForeignKey,
  answerAddCode,
  answerNewLogin,
  findCredentialPath,
  postDecision,
  readStoredKey,
} from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { BINDING_COOKIE, databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin, enterDashboard } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId, signInBrowser } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/** The tests for every site are in packages/login/plugins/account/read-account.integration.test.ts. */

const add = (browser: Client, sid: string) => browser.post("/api/account/credentials", { sid });

describe("adding a sign-in method", () => {
  test("lets a user who registered with a Bitcoin address sign in with the added key", async () => {
    const { browser, sid } = await answerFastLogin(url);
    await enterDashboard(browser, sid);
    const wallet = new TestWallet();
    await addCredential(browser, wallet);
    const laterLogin = await answerRegistration(url, wallet);
    await postDecision(laterLogin.browser, laterLogin.sid, "continue");
    expect(await readUserId(laterLogin.browser)).toBe(await readUserId(browser));
  });

  test("requires the user's confirmation, which works only once", async () => {
    const { browser, userId } = await signInBrowser(url);
    const sid = await answerAddCode(browser, new FastWallet());
    const credentialRows = () => query("SELECT 1 FROM credential WHERE user_id = $1", [userId]);
    expect(await credentialRows()).toHaveLength(1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(browser, sid)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await credentialRows()).toHaveLength(2);
    expect(await readUserId(browser)).toBe(userId);
  });

  test("is refused outside the browser session that requested the code", async () => {
    const { browser, wallet } = await signInBrowser(url);
    const sid = await answerAddCode(browser, new FastWallet());
    await expectApiError(await add(new Client(url), sid), 401, "not_signed_in");
    for (const other of [await signInBrowser(url), await signInBrowser(url, wallet)]) {
      await expectApiError(await add(other.browser, sid), 404, "session_not_found");
      other.browser.cookies.set(BINDING_COOKIE, browser.cookies.get(BINDING_COOKIE) ?? "");
      await expectApiError(await add(other.browser, sid), 404, "session_not_found");
    }
    expect((await add(browser, sid)).status).toBe(201);
  });

  test("requires a code that was requested for this purpose", async () => {
    const fastLogin = await answerFastLogin(url);
    const { browser } = await signInBrowser(url);
    browser.cookies.set(BINDING_COOKIE, fastLogin.browser.cookies.get(BINDING_COOKIE) ?? "");
    await expectApiError(await add(browser, fastLogin.sid), 404, "session_not_found");
  });
});

describe("an added Bitcoin address", () => {
  async function withAddress() {
    const { browser, userId } = await signInBrowser(url);
    const wallet = new FastWallet();
    return { browser, userId, wallet, path: await addCredential(browser, wallet) };
  }

  test("has its name trimmed before it is stored, and cannot have an invalid name", async () => {
    const { browser, path, wallet } = await withAddress();
    const currentLabels = async () => {
      const rows = await query("SELECT label FROM credential WHERE value = $1", [wallet.address]);
      return rows[0]?.label;
    };
    expect((await browser.patch(path, { label: "  Hardware wallet " })).status).toBe(204);
    expect(await currentLabels()).toBe("Hardware wallet");
    for (const label of [7, "x".repeat(61), "bi\u202Edi", "a\u0000b", null]) {
      await expectApiError(await browser.patch(path, { label }), 400, "invalid_request");
    }
    expect((await browser.patch(path, { label: "" })).status).toBe(204);
    expect(await currentLabels()).toBeNull();
  });

  test("cannot be changed by another user, who gets the same 404 as for an unknown id", async () => {
    const { path, wallet } = await withAddress();
    const { browser } = await signInBrowser(url);
    const ids = ["00000000-0000-4000-8000-000000000000", "x", encodeURIComponent("' OR 1=1")];
    for (const other of [path, ...ids.map((id) => `/api/account/credentials/${id}`)]) {
      await expectApiError(await browser.delete(other), 404, "not_found");
      await expectApiError(await browser.patch(other, { label: "x" }), 404, "not_found");
    }
    expect(await readStoredKey(databaseUrl, wallet.address)).toHaveLength(1);
  });
});

// A sign-in that waits for a removal is tested in packages/login/server/redeem-login.integration.test.ts.
test.each(["svc", "fast"] as const)(
  "ends a session that is opened with a sign-in method while the method is being removed (%s)",
  async (flow) => {
    const { owner, wallet, value } = await addForeignKey(url, flow);
    const path = await findCredentialPath(databaseUrl, value);
    // The key's holder has already confirmed the account, so the key is an ordinary sign-in method.
    await query("UPDATE credential SET added_by_session = NULL WHERE value = $1", [value]);
    const browser = new Client(url);
    const sid = await answerNewLogin(wallet, browser);
    const lock = await holdLock(databaseUrl, "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE", [sid]);
    const entering = browser.signIn(flow, sid);
    await lock.waiting(1);
    const removal = owner.browser.delete(path);
    await lock.waiting(2);
    await lock.release();
    expect((await entering).status).toBe(200);
    expect((await removal).status).toBe(204);
    expect(await readUserId(browser)).toBeNull();
  },
);
