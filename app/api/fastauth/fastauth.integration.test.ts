import { describe, expect, test } from "vitest";
import { addCredential, postDecision } from "#e2e/support/account.ts";
import { databaseUrl, requestSharedApp, url } from "#e2e/support/test-apps.ts";
import { expectStatus } from "#tools/kit/client.ts";
import {
  answerFastLogin,
  checkFastLogin,
  enterDashboard,
  postWalletForm,
  startFastLogin,
} from "#tools/kit/fast-login.ts";
import { readUserId, signInBrowser } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";

/** Covers cases that the conformance kit does not check (section 6). */

const NOT_SIGNED_IN = "/fast?problem=not-signed-in";

describe("a fast login response", () => {
  test("is accepted for two minutes and refused afterwards", async () => {
    for (const [seconds, answer] of [
      [115, "200 successfully authenticated"],
      [121, "400 no challenge found"],
    ] as const) {
      const { sid, qr, wallet, phone } = await startFastLogin(url);
      await backdateLogin(databaseUrl, sid, seconds);
      const response = await postWalletForm(phone, qr, wallet.fields(qr));
      expect(`${response.status} ${await response.text()}`).toContain(answer);
    }
  });

  test("creates a temporary account for a temporary wallet", async () => {
    for (const [platform, title] of [
      ["trial", "Your temporary wallet is gone"],
      ["ios", "If you lose your wallet, you lose this account"],
    ] as const) {
      const { sid, qr, wallet, phone, browser } = await startFastLogin(url);
      await expectStatus(await postWalletForm(phone, qr, { ...wallet.fields(qr), platform }), 200);
      const { response } = await enterDashboard(browser, sid);
      expect(await response.text()).toContain(title);
    }
  });

  test("is refused if it arrives in a HEAD request", async () => {
    const { qr, sid, wallet, phone } = await startFastLogin(url);
    const { pathname, search } = new URL(qr);
    const path = `${pathname}${search}&${new URLSearchParams(wallet.fields(qr))}`;
    expect((await phone.fetch(path, { method: "HEAD" })).status).toBe(405);
    expect(await checkFastLogin(phone, sid)).toEqual({ sid, status: 0 });
  });
});

describe("GET /dashboard?sid=", () => {
  test("does not redeem a login that was answered more than ten minutes ago", async () => {
    const lateLogin = await answerFastLogin(url);
    await backdateLogin(databaseUrl, lateLogin.sid, 601);
    expect((await enterDashboard(lateLogin.browser, lateLogin.sid)).path).toBe(NOT_SIGNED_IN);
    const { browser, userId } = await signInBrowser(url);
    expect((await enterDashboard(browser, lateLogin.sid)).path).toBe("/dashboard");
    expect(await readUserId(browser)).toBe(userId);
  });

  test("asks the owner of an unknown address to register if FAST_AUTO_REGISTER is off", async () => {
    const { url: at } = await requestSharedApp("switchedOff");
    const { browser: stranger, wallet, sid } = await answerFastLogin(at);
    const { path, response } = await enterDashboard(stranger, sid);
    expect(path).toBe("/fast?problem=unregistered");
    const page = await response.text();
    expect(page).toContain("this address has no account here");
    expect(page).not.toContain("If the address is new here");
    expect((await stranger.signIn("fast", sid)).status).toBe(401);

    const { browser, userId } = await signInBrowser(at);
    await addCredential(browser, wallet);
    // Another user has since added this address, so the login asks the address's holder to confirm.
    expect((await enterDashboard(stranger, sid)).path).toMatch(/^\/login\/added\?/);
    await postDecision(stranger, sid, "continue");
    expect(await readUserId(stranger)).toBe(userId);
  });
});
