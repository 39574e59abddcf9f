import { expect, inject, test } from "vitest";
import { answerAddCode, decide } from "#e2e/support/added-key.ts";
import { answeredFast, enterDashboard } from "#scripts/kit/fast-login.ts";
import { signedIn, userIdOf } from "#scripts/kit/login.ts";
import { FastWallet } from "#scripts/kit/test-wallet.ts";

const url = inject("switchedOffUrl");

test("without FAST_AUTO_REGISTER an unknown address is told to register, and signs in once it was added", async () => {
  const wallet = new FastWallet();
  const stranger = await answeredFast(url, wallet);
  const { path, response } = await enterDashboard(stranger.browser, stranger.sid);
  expect(path).toBe("/fast?problem=unregistered");
  const page = await response.text();
  expect(page).toContain("this address has no account here");
  expect(page).not.toContain("An address that has no account here yet gets one");
  expect((await stranger.browser.signIn("fast", stranger.sid)).status).toBe(401);

  const { browser, userId } = await signedIn(url);
  const sid = await answerAddCode(browser, wallet);
  expect((await browser.post("/api/account/credentials", { sid })).status).toBe(201);

  // The first answer still waits to be redeemed: now there is a user, whose browser was another.
  expect((await enterDashboard(stranger.browser, stranger.sid)).path).toMatch(/^\/login\/added\?/);
  await decide(stranger.browser, stranger.sid, "continue");
  expect(await userIdOf(stranger.browser)).toBe(userId);
});
