import { z } from "zod";
import { Client } from "../kit/client.ts";
import { startApp } from "../kit/start-app.ts";
import type { RunningServer } from "../kit/start-server.ts";
import { TestWallet } from "../kit/test-wallet.ts";

const Qr = z.object({ sid: z.string(), challenge: z.string() });
const Csrf = z.object({ csrfToken: z.string() });

/** Starts the production build of a clone of this application. */
export function startBenchApp(root: string, databaseUrl: string): Promise<RunningServer> {
  const variables = { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "1", RATE_LIMIT_SCALE: "100000" };
  return startApp(variables, { root, ready: { path: "/healthz" } });
}

/** A wallet with an account. */
export async function registeredWallet(url: string): Promise<TestWallet> {
  const wallet = new TestWallet();
  const { challenge } = await requestCode(new Client(url), "register");
  await new Client(url).expect(200, "/webhook/register", { json: wallet.response(challenge) });
  return wallet;
}

/** A code for a browser (docs/protocol.md#31-get-apisvcqr). */
export async function requestCode(browser: Client, mode = "login") {
  return Qr.parse(JSON.parse((await browser.expect(200, `/api/svc/qr?mode=${mode}`)).body));
}

const direct = new Map<string, Promise<boolean>>();

/** False for a version from before `POST /api/svc/sign-in`, which signs in by NextAuth's two requests. */
function signsInDirectly(url: string): Promise<boolean> {
  const asked = direct.get(url) ?? askForSignIn(url);
  direct.set(url, asked);
  return asked;
}

async function askForSignIn(url: string): Promise<boolean> {
  return (await new Client(url).send("/api/svc/sign-in", { json: { sid: "" } })).status !== 404;
}

/**
 * A whole login as the login page and a wallet make it: code, wallet response, check, sign-in.
 * @throws {Error} when the browser holds no session at the end
 */
export async function logIn(url: string, wallet: TestWallet, browser = new Client(url)): Promise<void> {
  const { sid, challenge } = await requestCode(browser);
  await new Client(url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
  const { body } = await browser.expect(200, `/api/svc/check?sid=${sid}`);
  if (!body.includes('"authenticated"')) throw new Error(`check: ${body}`);
  if (await signsInDirectly(url)) await browser.expect(200, "/api/svc/sign-in", { json: { sid } });
  else {
    const { csrfToken } = Csrf.parse(JSON.parse((await browser.expect(200, "/api/auth/csrf")).body));
    await browser.expect(200, "/api/auth/callback/svc", { form: { csrfToken, sid, json: "true" } });
  }
  if (!browser.cookies.has("next-auth.session-token")) throw new Error("no session at the end of the login");
}
