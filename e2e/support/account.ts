import { Client, expectStatus } from "#tools/kit/client.ts";
import { answerFastLogin } from "#tools/kit/fast-login.ts";
import { requestQr, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/** Requests from browsers, and changes that only time or an operator can make. */

/** Includes this browser's session. */
export const signOutEverywhere = (browser: Client, query = "") =>
  browser.delete(`/api/account/sessions${query}`);

/** For the user of a signed-in browser. Returns the URL for renaming and removing it. */
export async function addCredential(
  browser: Client,
  wallet: TestWallet | FastWallet,
  headers: Record<string, string> = {},
): Promise<string> {
  const sid = await answerAddCode(browser, wallet);
  const response = await expectStatus(await browser.post("/api/account/credentials", { sid }, headers), 201);
  return `/api/account/credentials/${(await response.json()).id}`;
}

export async function findCredentialPath(databaseUrl: string, value: string): Promise<string> {
  const [row] = await sql<{ id: string }>(databaseUrl, "SELECT id FROM credential WHERE value = $1", [value]);
  if (!row) throw new Error("nobody has it");
  return `/api/account/credentials/${row.id}`;
}

export async function findLatestSessionPath(databaseUrl: string, userId: number | null): Promise<string> {
  const latest = "SELECT id FROM browser_session WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1";
  const [row] = await sql<{ id: string }>(databaseUrl, latest, [userId]);
  return `/api/account/sessions/${row?.id}`;
}

export async function expireSessions(databaseUrl: string, userId: number | null): Promise<void> {
  const expire = "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1";
  await sql(databaseUrl, expire, [userId]);
}

/** A flow in which users can add a key or an address and sign in with it. */
export type AddedKeyFlow = "svc" | "fast";

/** Returns the sid. */
export function answerAddCode(browser: Client, wallet: TestWallet | FastWallet): Promise<string> {
  return answerNewLogin(wallet, browser, "add");
}

/** The browser is not signed in yet. */
export async function answerNewLogin(
  wallet: TestWallet | FastWallet,
  browser: Client,
  intent?: string,
): Promise<string> {
  if (wallet instanceof FastWallet) {
    return (await answerFastLogin(browser.url, wallet, browser, intent ? { intent } : {})).sid;
  }
  const { sid, challenge } = await requestQr(browser, "login", undefined, intent);
  await expectStatus(await new Client(browser.url).post("/webhook/login", wallet.response(challenge)));
  return sid;
}

/** Also returns the browser in which the key or address was added. */
export async function addForeignKey(url: string, flow: AddedKeyFlow) {
  const owner = await signInBrowser(url);
  const wallet = flow === "fast" ? new FastWallet() : new TestWallet();
  await addCredential(owner.browser, wallet);
  return { owner, wallet, value: wallet instanceof FastWallet ? wallet.address : wallet.publicKey };
}

/**
 * Signs the holder of an added key in on another browser, up to the question whether to continue. Returns that browser.
 */
export async function signInUntilQuestion(url: string, flow: AddedKeyFlow = "svc") {
  const added = await addForeignKey(url, flow);
  const browser = new Client(url);
  const sid = await answerNewLogin(added.wallet, browser);
  await browser.signIn(flow, sid);
  return { ...added, browser, sid };
}

export async function fetchQuestionPage(browser: Client, sid: string): Promise<string> {
  return (await browser.fetch(`/login/added?sid=${sid}`)).text();
}

export function readStoredKey(databaseUrl: string, value: string) {
  return sql<{ user_id: number; added_by_session: string | null }>(
    databaseUrl,
    "SELECT user_id, added_by_session FROM credential WHERE value = $1",
    [value],
  );
}

export function findSessionsOfKey(databaseUrl: string, value: string) {
  return sql(databaseUrl, "SELECT id FROM browser_session WHERE credential = $1", [value]);
}

export function postDecision(
  browser: Client,
  sid: string,
  decision: string,
  more: Record<string, string> = {},
): Promise<Response> {
  return browser.postForm("/api/account/added-key", { sid, decision, ...more });
}
