import { describe, expect, test } from "vitest";
import { addCredential, answerNewLogin, readStoredKey, signOutEverywhere } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  APPROVAL_SECONDS,
  answerApproval,
  answerChallenge,
  approve,
  approveByAddress,
  backdateApprovals,
  createApiKey,
  isApproved,
  openStaleBrowser,
} from "#e2e/support/approval.ts";
import { BINDING_COOKIE, databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin, enterDashboard, postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

describe("an approval", () => {
  test("does not extend to the user's other browsers or a thief's browser", async () => {
    const { browser, wallet, userId } = await signInBrowser(url);
    const second = (await signInBrowser(url, wallet)).browser;
    await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    const { sid, status } = await approve(browser, wallet);
    expect(status).toBe(200);
    expect(await isApproved(second)).toBe(false);
    // The binding cookie does not help: another signed-in browser might have stolen it.
    second.cookies.set(BINDING_COOKIE, browser.cookies.get(BINDING_COOKIE) ?? "");
    expect((await second.signIn("svc", sid)).status).toBe(401);
    expect(await isApproved(second)).toBe(false);
    expect(await isApproved(browser)).toBe(true);
  });

  test("can be redeemed only once, by the browser that requested it", async () => {
    const { browser, wallet } = await openStaleBrowser(url, databaseUrl);
    const sid = await answerApproval(browser, wallet);
    const stranger = new Client(url);
    for (const provider of ["svc", "fast", "hosted"]) {
      expect((await stranger.signIn(provider, sid)).status).toBe(401);
    }
    expect((await browser.signIn("fast", sid)).status).toBe(401);
    expect((await enterDashboard(stranger, sid)).path).toBe("/fast?problem=not-signed-in");
    expect(await isApproved(browser)).toBe(false);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await browser.copy().signIn("svc", sid)).status),
    );
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(401)]);
  });

  test("has no effect until it is redeemed", async () => {
    const { browser, wallet } = await openStaleBrowser(url, databaseUrl);
    await answerNewLogin(wallet, browser);
    expect(await isApproved(browser)).toBe(false);
  });
});

describe("a copied session token", () => {
  const stolen = async () => {
    const user = await openStaleBrowser(url, databaseUrl);
    return { ...user, thief: user.browser.copy() };
  };

  test("is rejected by every process once the session's owner has completed an approval", async () => {
    for (const by of ["key", "address"]) {
      const { browser, wallet, thief, userId } = await stolen();
      if (by === "address") {
        await approve(browser, wallet);
        const address = new FastWallet();
        await addCredential(browser, address);
        for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
        await approveByAddress(browser, address);
      } else await approve(browser, wallet);
      expect(await readUserId(browser)).toBe(userId);
      expect(await isApproved(browser)).toBe(true);
      for (const copy of [thief, thief.copy(otherUrl)]) {
        expect(await readUserId(copy)).toBeNull();
        expect((await createApiKey(copy)).status).toBe(401);
        await expectApiError(await copy.fetch("/api/svc/qr?intent=add"), 401, "not_signed_in");
        expect((await copy.fetch("/dashboard")).status).toBe(307);
      }
    }
  });

  test("cannot be used to add a key after the owner's approval", async () => {
    const { browser, wallet, thief, userId } = await stolen();
    const ownWallet = new TestWallet();
    await expectApiError(await thief.fetch("/api/svc/qr?intent=add"), 403, "approval_required");
    expect((await thief.fetch("/api/getqrcode?intent=add")).status).toBe(403);
    // The thief copied these cookies before the session was renewed.
    await backdateApprovals(databaseUrl, userId, 0);
    const { sid, challenge } = await requestQr(thief, "login", undefined, "add");
    expect((await answerChallenge(url, ownWallet, challenge)).status).toBe(200);
    await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    const addIt = () => thief.post("/api/account/credentials", { sid });
    await expectApiError(await addIt(), 403, "approval_required");
    await approve(browser, wallet);
    await expectApiError(await addIt(), 401, "not_signed_in");
    // The owner's own browser cannot confirm the thief's addition either.
    await expectApiError(await browser.post("/api/account/credentials", { sid }), 404, "session_not_found");
    expect(await readStoredKey(databaseUrl, ownWallet.publicKey)).toEqual([]);
  });

  test("is invalidated if the user signs out everywhere during the approval", async () => {
    for (let round = 0; round < 8; round++) {
      const { browser, wallet, thief, userId } = await stolen();
      const other = (await signInBrowser(url, wallet)).browser;
      const sid = await answerApproval(browser, wallet);
      const [{ status }, ended] = await Promise.all([browser.signIn("svc", sid), signOutEverywhere(other)]);
      expect(ended.status).toBe(204);
      expect([200, 401]).toContain(status);
      const rows = await query("SELECT 1 FROM browser_session WHERE user_id = $1", [userId]);
      // Signing out everywhere also ended the sessions that the renewed session had opened.
      expect(rows).toEqual([]);
      expect(await readUserId(thief)).toBeNull();
    }
  });
});

test("does not ask a browser to confirm a key that it added before its last approval", async () => {
  const { browser, wallet, userId } = await signInBrowser(url);
  const addedWallet = new TestWallet();
  await addCredential(browser, addedWallet);
  await approve(browser, wallet);
  const { sid, challenge } = await requestQr(browser, "login");
  expect((await answerChallenge(url, addedWallet, challenge)).status).toBe(200);
  expect((await browser.signIn("svc", sid)).status).toBe(200);
  expect(await readUserId(browser)).toBe(userId);
});

describe("an approval with a Bitcoin address", () => {
  async function staleByAddress() {
    const wallet = new FastWallet();
    const { browser, sid } = await answerFastLogin(url, wallet);
    await enterDashboard(browser, sid);
    const userId = await readUserId(browser);
    await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    return { browser, wallet, userId };
  }

  test("is offered to a user who signed in with an address", async () => {
    const { browser, wallet } = await staleByAddress();
    const { error } = await (await createApiKey(browser)).json();
    expect(error).toMatchObject({ code: "approval_required", details: { approve_with: ["address"] } });
    const { sid, qr, status } = await approveByAddress(browser, wallet);
    expect(status).toBe(200);
    expect(new URL(qr).searchParams.get("intent")).toBe("approve");
    expect(await isApproved(browser)).toBe(true);
    // The login can be redeemed only once.
    expect((await browser.copy().signIn("fast", sid)).status).toBe(401);
  });

  test("is refused with another user's address or an unknown one, without creating an account", async () => {
    const { browser, wallet } = await staleByAddress();
    const other = (await staleByAddress()).wallet;
    const unknown = new FastWallet();
    const { qr, sid } = await requestFastQr(browser, { intent: "approve" });
    for (const foreign of [other, unknown]) {
      const refusal = await postWalletForm(new Client(url), qr, foreign.fields(qr));
      expect(refusal.status).toBe(401);
      expect(await refusal.text()).toMatch(/^could not verify/);
    }
    expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
    expect(await readStoredKey(databaseUrl, unknown.address)).toEqual([]);
    expect(await isApproved(browser)).toBe(false);
    expect((await postWalletForm(new Client(url), qr, wallet.fields(qr))).status).toBe(200);
    // Uses a redirect, which needs no script.
    expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
    expect(await isApproved(browser)).toBe(true);
  });

  test("is not interchangeable with a login", async () => {
    const { browser, wallet } = await staleByAddress();
    const { qr, sid } = await requestFastQr(browser, { intent: "approve" });
    const asLogin = new URL(qr);
    asLogin.searchParams.delete("intent");
    const refusal = await postWalletForm(new Client(url), asLogin.href, wallet.fields(asLogin.href));
    expect(refusal.status).toBe(401);
    const entry = "SELECT reason FROM login_event WHERE sid = $1 AND kind = 'refused'";
    expect(await query(entry, [sid])).toEqual([{ reason: "intent_mismatch" }]);
    const login = await requestFastQr(new Client(url));
    const asApproval = `${login.qr}&intent=approve`;
    expect((await postWalletForm(new Client(url), asApproval, wallet.fields(asApproval))).status).toBe(401);
    expect(await isApproved(browser)).toBe(false);
  });
});
