import { expect, test } from "vitest";
import {
  addForeignKey,
  answerNewLogin,
  findLatestSessionPath,
  signOutEverywhere,
} from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { answerChallenge } from "#e2e/support/approval.ts";
import { BINDING_COOKIE, databaseUrl, otherUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { enterDashboard } from "#tools/kit/fast-login.ts";
import { readUserId, registerWallet, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { FastWallet } from "#tools/kit/test-wallet.ts";

/** Covers cases that the conformance kit does not check (sections 4.3 and 6.4). */

test("ends the user's pending logins and removes the binding cookie when the user signs out everywhere", async () => {
  const [browser, wallet] = [new Client(url), await registerWallet(url)];
  const fast = await answerNewLogin(new FastWallet(), browser);
  expect((await browser.signIn("svc", await answerNewLogin(wallet, browser))).status).toBe(200);
  const answeredSid = await answerNewLogin(wallet, browser);
  const { challenge } = await requestQr(browser);
  // This browser has another pending login, which asks the holder of an added key to confirm.
  const pendingSid = await answerNewLogin((await addForeignKey(url, "svc")).wallet, browser);
  expect((await (await browser.signIn("svc", pendingSid)).json()).url).toContain("/login/added");
  const otherClient = new Client(url);
  const third = await answerNewLogin(wallet, otherClient);
  const bystander = new Client(url);
  const others = await answerNewLogin((await signInBrowser(url)).wallet, bystander);

  // The browser's next user might have copied every cookie that signing out removes.
  const next = new Client(otherUrl);
  next.cookies.set(BINDING_COOKIE, browser.cookies.get(BINDING_COOKIE) ?? "");
  const response = await signOutEverywhere(browser);
  const [line] = response.headers.getSetCookie().filter((header) => header.startsWith(`${BINDING_COOKIE}=`));
  expect(line).toMatch(/^[\w-]+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
  expect(await readUserId(browser)).toBeNull();
  for (const sid of [answeredSid, pendingSid]) expect((await next.signIn("svc", sid)).status).toBe(401);
  await next.postForm("/api/account/added-key", { sid: pendingSid, decision: "continue" });
  expect(await readUserId(next)).toBeNull();
  expect((await enterDashboard(next, fast)).path).toBe("/fast?problem=not-signed-in");
  await expectApiError(await answerChallenge(url, wallet, challenge), 408, "challenge_expired");
  expect((await otherClient.signIn("svc", third)).status).toBe(401);
  expect((await bystander.signIn("svc", others)).status).toBe(200);
});

test("removes the binding cookie and ends the logins of a browser that signs out without a session", async () => {
  const { wallet, browser: ended } = await signInBrowser(url);
  await signOutEverywhere((await signInBrowser(otherUrl, wallet)).browser);
  for (const browser of [ended, new Client(url)]) {
    const { challenge } = await requestQr(browser);
    const answeredSid = await answerNewLogin(wallet, browser);
    const next = browser.copy(otherUrl);
    await browser.signOut();
    expect(browser.cookies.has(BINDING_COOKIE)).toBe(false);
    await expectApiError(await answerChallenge(url, wallet, challenge), 408, "challenge_expired");
    expect((await next.signIn("svc", answeredSid)).status).toBe(401);
  }
});

test("returns 404 when a user tries to revoke another user's session or an unknown one", async () => {
  const { browser } = await signInBrowser(url);
  const { browser: other, userId } = await signInBrowser(url);
  const foreignId = (await findLatestSessionPath(databaseUrl, userId)).split("/").at(-1);
  const none = ["unknown", "00000000-0000-0000-0000-000000000000", "%F0%9F%99%82", "' OR 1=1"];
  for (const id of [foreignId, ...none]) {
    await expectApiError(await browser.delete(`/api/account/sessions/${id}`), 404, "session_not_found");
  }
  expect(await readUserId(other)).toBe(userId);
});
