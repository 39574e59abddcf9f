import { Client } from "#tools/kit/client.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { type Qr, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import type { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";
import { answerNewLogin } from "./account.ts";

/** Makes all of a user's approvals, including their sign-ins, `seconds` old. */
export async function backdateApprovals(
  databaseUrl: string,
  userId: number | null,
  seconds: number,
): Promise<void> {
  await sql(databaseUrl, "UPDATE browser_session SET created_at = now() - $2::interval WHERE user_id = $1", [
    userId,
    `${seconds} seconds`,
  ]);
}

/** Requests a code from a signed-in browser for approving a change. */
export function requestApproval(browser: Client, sid?: string): Promise<Qr> {
  return requestQr(browser, "login", sid, "approve");
}

/** Answers a challenge from another client, as a wallet does. */
export function answerChallenge(url: string, wallet: TestWallet, challenge: string): Promise<Response> {
  return new Client(url).post("/webhook/login", wallet.response(challenge));
}

/**
 * Requests an approval in a signed-in browser and answers it with a wallet. The browser has not redeemed it yet.
 * Returns the sid.
 */
export function answerApproval(browser: Client, wallet: TestWallet): Promise<string> {
  return answerNewLogin(wallet, browser, "approve");
}

/** Approves a change with a wallet in a signed-in browser. The approval renews the browser's session. */
export async function approve(browser: Client, wallet: TestWallet): Promise<{ sid: string; status: number }> {
  const sid = await answerApproval(browser, wallet);
  return { sid, status: (await browser.signIn("svc", sid)).status };
}

/** Approves a change with a Bitcoin wallet in a signed-in browser. */
export async function approveByAddress(
  browser: Client,
  wallet: FastWallet,
): Promise<{ sid: string; qr: string; status: number }> {
  const { sid, qr } = await answerFastLogin(browser.url, wallet, browser, { intent: "approve" });
  return { sid, qr, status: (await browser.signIn("fast", sid)).status };
}

/** For this long after an approval or a sign-in, a user can make changes. */
export const APPROVAL_SECONDS = 600;

/** Returns a browser whose user signed in so long ago that a change needs a new approval. */
export async function openStaleBrowser(url: string, databaseUrl: string) {
  const user = await signInBrowser(url);
  await backdateApprovals(databaseUrl, user.userId, APPROVAL_SECONDS + 1);
  return user;
}

/** Creates an API key, which requires a recent approval. */
export function createApiKey(browser: Client, mode = "live"): Promise<Response> {
  return browser.post(`/api/console/${mode}/keys`, { name: "Laptop" });
}

export async function isApproved(browser: Client): Promise<boolean> {
  const { status } = await createApiKey(browser);
  if (status !== 201 && status !== 403) throw new Error(`a new API key: ${status}`);
  return status === 201;
}
