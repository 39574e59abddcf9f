import { Client, expectStatus } from "#scripts/kit/client.ts";
import { answeredFast } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** A flow in which a key or an address can be added, and sign in. */
export type AddingFlow = "svc" | "fast";

/** Has a signed-in browser ask for an add code, and a wallet answer it; returns its sid. */
export function answerAddCode(browser: Client, wallet: TestWallet | FastWallet): Promise<string> {
  return answeredLogin(wallet, browser, "add");
}

/** A browser in which a wallet has answered a login; not signed in yet. */
export async function answeredLogin(
  wallet: TestWallet | FastWallet,
  browser: Client,
  intent?: string,
): Promise<string> {
  if (wallet instanceof FastWallet) {
    return (await answeredFast(browser.url, wallet, browser, intent ? { intent } : {})).sid;
  }
  const { sid, challenge } = await requestQr(browser, "login", undefined, intent);
  await expectStatus(await new Client(browser.url).post("/webhook/login", wallet.response(challenge)));
  return sid;
}

/** A user who has added a key or an address of somebody's, and the browser that did it. */
export async function withAddedKey(url: string, flow: AddingFlow) {
  const owner = await signedIn(url);
  const wallet = flow === "fast" ? new FastWallet() : new TestWallet();
  const sid = await answerAddCode(owner.browser, wallet);
  await expectStatus(await owner.browser.post("/api/account/credentials", { sid }), 201);
  return { owner, wallet, value: wallet instanceof FastWallet ? wallet.address : wallet.publicKey };
}

/** A stranger's browser that the holder of the added key has signed in to, as far as the question. */
export async function stoppedAtQuestion(url: string, flow: AddingFlow = "svc") {
  const added = await withAddedKey(url, flow);
  const browser = new Client(url);
  const sid = await answeredLogin(added.wallet, browser);
  await browser.signIn(flow, sid);
  return { ...added, browser, sid };
}

/** The page that asks whether to go on with an added key. */
export async function questionPage(browser: Client, sid: string): Promise<string> {
  return (await browser.fetch(`/login/added?sid=${sid}`)).text();
}

/** What is stored of a key or an address. */
export function storedKey(databaseUrl: string, value: string) {
  return sql<{ user_id: number; added_by_session: string | null }>(
    databaseUrl,
    "SELECT user_id, added_by_session FROM credential WHERE value = $1",
    [value],
  );
}

/** The browser sessions that a key or an address has opened. */
export function sessionsBy(databaseUrl: string, value: string) {
  return sql(databaseUrl, "SELECT id FROM browser_session WHERE credential = $1", [value]);
}

/** What the page's form posts. */
export function decide(
  browser: Client,
  sid: string,
  decision: string,
  more: Record<string, string> = {},
): Promise<Response> {
  return browser.postForm("/api/account/added-key", { sid, decision, ...more });
}
