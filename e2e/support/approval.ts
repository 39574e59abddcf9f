import { Client } from "./client.ts";
import { deliverForm, requestFastQr } from "./fast-login.ts";
import type { FastWallet } from "./fast-wallet.ts";
import { Qr } from "./login.ts";
import { sql } from "./sql.ts";
import type { TestWallet } from "./test-wallet.ts";

/** Makes every approval of a user, their sign-ins included, as old as `seconds`. */
export async function ageApprovals(
  databaseUrl: string,
  userId: number | null,
  seconds: number,
): Promise<void> {
  await sql(
    databaseUrl,
    `UPDATE browser_session SET created_at = now() - $2::interval,
       approved_at = CASE WHEN approved_at IS NULL THEN NULL ELSE now() - $2::interval END
     WHERE user_id = $1`,
    [userId, `${seconds} seconds`],
  );
}

/** Asks for a code to approve a change, in the name of a signed-in browser. */
export async function requestApproval(browser: Client, sid?: string): Promise<Qr> {
  const query = new URLSearchParams({ mode: "login", intent: "approve", ...(sid && { sid }) });
  const response = await browser.fetch(`/api/svc/qr?${query}`);
  if (response.status !== 200) throw new Error(`qr: ${response.status} ${await response.text()}`);
  return Qr.parse(await response.json());
}

/** Answers a challenge from elsewhere, as a wallet does. */
export function answerChallenge(url: string, wallet: TestWallet, challenge: string): Promise<Response> {
  return new Client(url).post("/webhook/login", wallet.delivery(challenge));
}

/** Has a wallet's key approve what a signed-in browser does. */
export async function approve(browser: Client, wallet: TestWallet): Promise<{ sid: string; status: number }> {
  const { sid, challenge } = await requestApproval(browser);
  return { sid, status: (await answerChallenge(browser.url, wallet, challenge)).status };
}

/** The same by an address. */
export async function approveByAddress(
  browser: Client,
  wallet: FastWallet,
): Promise<{ sid: string; qr: string; status: number }> {
  const { sid, qr } = await requestFastQr(browser, { intent: "approve" });
  return { sid, qr, status: (await deliverForm(new Client(browser.url), qr, wallet.fields(qr))).status };
}
