import { z } from "zod";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { type Qr, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** The check character is correct. */
export const WRONG_CODE = "00000-00000-00000-00000-00000";

const NewCodes = z.strictObject({
  codes: z.tuple([z.string(), z.string()]),
  status: z.literal("unconfirmed"),
});

/** Not confirmed yet. */
export async function createCodes(browser: Client): Promise<[string, string]> {
  const response = await expectStatus(await browser.post("/api/account/recovery-codes", {}), 201);
  return NewCodes.parse(await response.json()).codes;
}

export function confirmCodes(browser: Client, codes: readonly string[]): Promise<Response> {
  return browser.post("/api/account/recovery-codes/confirm", { codes });
}

export async function createUserWithCodes(url: string) {
  const user = await signInBrowser(url);
  const codes = await createCodes(user.browser);
  await expectStatus(await confirmCodes(user.browser, codes));
  return { ...user, codes };
}

export function openRecovery(browser: Client, code: unknown): Promise<Response> {
  return browser.post("/api/recovery", { code });
}

export async function startRecovery(url: string, code: string): Promise<Client> {
  const browser = new Client(url);
  await expectStatus(await openRecovery(browser, code));
  return browser;
}

export function requestRecoveryQr(browser: Client): Promise<Qr> {
  return requestQr(browser, "register", undefined, "recover");
}

export async function answerRecovery(browser: Client, wallet: TestWallet) {
  const { sid, challenge } = await requestRecoveryQr(browser);
  return {
    sid,
    response: await new Client(browser.url).post("/webhook/register", wallet.response(challenge)),
  };
}

/** A recovery code, a new wallet, its answer, and the sign-in. */
export async function recover(url: string, code: string, wallet = new TestWallet()) {
  const browser = await startRecovery(url, code);
  const { sid, response } = await answerRecovery(browser, wallet);
  await expectStatus(response);
  return { browser, wallet, sid, signIn: await browser.signIn("svc", sid) };
}

export async function readHistory(databaseUrl: string, userId: number | null): Promise<string[]> {
  const rows = await sql<{ kind: string }>(
    databaseUrl,
    "SELECT kind FROM login_event WHERE user_id = $1 ORDER BY id",
    [userId],
  );
  return rows.map(({ kind }) => kind);
}

/** The oldest first. `before`: existed before a recovery. */
export async function readSignInMethods(databaseUrl: string, userId: number | null) {
  return sql<{ value: string; before: boolean }>(
    databaseUrl,
    "SELECT value, before_recovery_at IS NOT NULL AS before FROM credential WHERE user_id = $1 ORDER BY created_at",
    [userId],
  );
}
