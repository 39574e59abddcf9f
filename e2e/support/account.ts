import { type Client, expectStatus } from "#scripts/kit/client.ts";
import { sql } from "#scripts/kit/sql.ts";
import type { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";
import { answerAddCode } from "./added-key.ts";

/** What a signed-in browser asks of its account, and what only time or an operator would do to it. */

/** Ends every session of the user, this browser's too. */
export const signOutEverywhere = (browser: Client, query = "") =>
  browser.delete(`/api/account/sessions${query}`);

/** Adds a key or an address to the user of a signed-in browser; returns where it can be renamed and removed. */
export async function addCredential(
  browser: Client,
  wallet: TestWallet | FastWallet,
  headers: Record<string, string> = {},
): Promise<string> {
  const sid = await answerAddCode(browser, wallet);
  const added = await expectStatus(await browser.post("/api/account/credentials", { sid }, headers), 201);
  return `/api/account/credentials/${(await added.json()).id}`;
}

/** Where a key or an address of a user can be renamed and removed. */
export async function credentialPath(databaseUrl: string, value: string): Promise<string> {
  const [row] = await sql<{ id: string }>(databaseUrl, "SELECT id FROM credential WHERE value = $1", [value]);
  if (!row) throw new Error("nobody has it");
  return `/api/account/credentials/${row.id}`;
}

/** Lets the time of a user's browser sessions run out. */
export async function expireSessions(databaseUrl: string, userId: number | null): Promise<void> {
  const expire = "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1";
  await sql(databaseUrl, expire, [userId]);
}
