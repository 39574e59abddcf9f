import { Client } from "#tools/kit/client.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { type Qr, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import type { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";
import { answerNewLogin } from "./account.ts";

/** Includes the user's sign-ins. */
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

export function requestApproval(browser: Client, sid?: string): Promise<Qr> {
  return requestQr(browser, "login", sid, "approve");
}

export function answerChallenge(url: string, wallet: TestWallet, challenge: string): Promise<Response> {
  return new Client(url).post("/webhook/login", wallet.response(challenge));
}

/** The browser has not redeemed the approval yet. Returns the sid. */
export function answerApproval(browser: Client, wallet: TestWallet): Promise<string> {
  return answerNewLogin(wallet, browser, "approve");
}

/** Renews the browser's session. */
export async function approve(browser: Client, wallet: TestWallet): Promise<{ sid: string; status: number }> {
  const sid = await answerApproval(browser, wallet);
  return { sid, status: (await browser.signIn("svc", sid)).status };
}

export async function approveByAddress(
  browser: Client,
  wallet: FastWallet,
): Promise<{ sid: string; qr: string; status: number }> {
  const { sid, qr } = await answerFastLogin(browser.url, wallet, browser, { intent: "approve" });
  return { sid, qr, status: (await browser.signIn("fast", sid)).status };
}

/** For changes after an approval or a sign-in. */
export const APPROVAL_SECONDS = 600;

/** The user signed in so long ago that a change needs a new approval. */
export async function openStaleBrowser(url: string, databaseUrl: string) {
  const user = await signInBrowser(url);
  await backdateApprovals(databaseUrl, user.userId, APPROVAL_SECONDS + 1);
  return user;
}

/** Requires a recent approval. */
export function createApiKey(browser: Client, mode = "live"): Promise<Response> {
  return browser.post(`/api/console/${mode}/keys`, { name: "Laptop" });
}

export async function isApproved(browser: Client): Promise<boolean> {
  const { status } = await createApiKey(browser);
  if (status !== 201 && status !== 403) throw new Error(`a new API key: ${status}`);
  return status === 201;
}
