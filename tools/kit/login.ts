import { z } from "zod";
import { Client, expectStatus } from "./client.ts";
import { TestWallet } from "./test-wallet.ts";

/** As specified (docs/protocol.md#31-get-apisvcqr). */
export const Qr = z.strictObject({
  sid: z.string(),
  challenge: z.string(),
  qr: z.string(),
  expiresAt: z.int(),
});
export type Qr = z.infer<typeof Qr>;

/**
 * Only the members that a login needs. The responses of earlier versions and of the benchmark's `limit` server can have
 * other members too.
 */
const Code = z.object({ sid: z.string(), challenge: z.string() });

export async function requestQr(browser: Client, mode = "login", sid?: string, intent?: string): Promise<Qr> {
  const query = new URLSearchParams({ mode, ...(sid && { sid }), ...(intent && { intent }) });
  const response = await expectStatus(await browser.fetch(`/api/svc/qr?${query}`));
  return Qr.parse(await response.json());
}

/** Requests a code from any server at which wallets can log in. */
export async function requestCode(browser: Client, mode = "login", sid?: string) {
  const query = sid ? `mode=${mode}&sid=${sid}` : `mode=${mode}`;
  return Code.parse(JSON.parse((await browser.expect(200, `/api/svc/qr?${query}`)).body));
}

export async function checkLogin(client: Client, sid: string): Promise<unknown> {
  return (await client.fetch(`/api/svc/check?sid=${sid}`)).json();
}

/** The browser is not signed in yet. */
export async function answerRegistration(url: string, wallet = new TestWallet()) {
  const browser = new Client(url);
  const { sid, challenge } = await requestCode(browser, "register");
  await new Client(url).expect(200, "/webhook/register", { json: wallet.response(challenge) });
  return { browser, wallet, sid };
}

export async function registerWallet(url: string): Promise<TestWallet> {
  return (await answerRegistration(url)).wallet;
}

/**
 * Performs a complete login, as the login page and a wallet do: code, wallet response, check, sign-in.
 * @throws {Error} if the browser is not signed in at the end
 */
export async function logIn(url: string, wallet: TestWallet, browser = new Client(url)): Promise<void> {
  const { sid, challenge } = await requestCode(browser);
  await new Client(url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
  const { body } = await browser.expect(200, `/api/svc/check?sid=${sid}`);
  if (!body.includes('"authenticated"')) throw new Error(`check: ${body}`);
  await browser.expect(200, "/api/svc/sign-in", { json: { sid } });
  if (!browser.hasCookie("next-auth.session-token")) throw new Error("no session at the end of the login");
}

/** Signs in a new user, or the user of `wallet`. */
export async function signInBrowser(url: string, wallet?: TestWallet) {
  const login = await answerRegistration(url, wallet);
  await expectStatus(await login.browser.signIn("svc", login.sid));
  return { ...login, userId: await readUserId(login.browser) };
}

/** According to NextAuth. */
export async function readUserId(browser: Client): Promise<number | null> {
  const session = z
    .object({ user: z.object({ id: z.int() }).optional() })
    .parse(await (await browser.fetch("/api/auth/session")).json());
  return session.user?.id ?? null;
}
