import { randomInt } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tools/kit/database.ts";
import { CLIENT_ADDRESS_HEADER, formatClientStamp } from "../../http/client-address.ts";
import type { Login, nextAuth } from "../../index.ts";
import { shutDown } from "../../process/state.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";
import { createConnectionConfig } from "../migrate.ts";

export const ORIGIN = "https://shop.example";

export const SITE_SETTINGS = {
  origin: new URL(ORIGIN),
  qrFormat: "svc",
  secrets: ["a secret of thirty-two characters"],
  trustedProxies: 0,
} as const;

/**
 * For the tests in a file, with a separate database.
 * @returns a function with which tests get the login and a client that finds its tables
 */
export function startSite<Started extends Pick<Login, "start">>(create: (databaseUrl: string) => Started) {
  let database: TestDatabase;
  let site: { login: Started; client: pg.Client };
  beforeAll(async () => {
    database = await createTestDatabase(inject("migratedSite"));
    const login = create(database.url);
    await login.start();
    const client = new pg.Client(createConnectionConfig(database.url));
    await client.connect();
    site = { login, client };
  });
  afterAll(async () => {
    await site.client.end();
    await shutDown(async () => {});
    await database.close();
  });
  return () => site;
}

export const newClientHeaders = () => ({ [CLIENT_ADDRESS_HEADER]: formatClientStamp(newAddress()) });

const newAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join(".");

export function createWalletResponseRequest(
  wallet: VirtualWallet,
  challenge: string,
  action: "login" | "register" = "register",
): Request {
  return new Request(`${ORIGIN}/webhook/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...newClientHeaders() },
    body: JSON.stringify(wallet.sign(challenge)),
  });
}

/** Returns its sid and the cookies of the browser that started it. */
export async function answerNewLogin(login: Pick<Login, "routes">, wallet = new VirtualWallet()) {
  const request = new Request(`${ORIGIN}/api/svc/qr?mode=register`, { headers: newClientHeaders() });
  const code = await login.routes.GET(request);
  const { sid, challenge }: { sid: string; challenge: string } = await code.json();
  const response = await login.routes.POST(createWalletResponseRequest(wallet, challenge));
  if (response.status !== 200) throw new Error(`the wallet response was answered with ${response.status}`);
  return { sid, cookie: formatCookieHeader(code) };
}

export function formatCookieHeader(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** A site's own login, or a hosted one. */
type SiteLogin = Pick<
  Login<number | string, ReturnType<typeof nextAuth>["name"]>,
  "auth" | "routes" | "currentSession"
>;
type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Has its own cookies and IP address. */
export class SiteBrowser {
  readonly cookies = new Map<string, string>();
  readonly address = newAddress();
  readonly #login: SiteLogin;

  constructor(login: SiteLogin) {
    this.#login = login;
  }

  get headers(): Headers {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    return new Headers({
      cookie,
      "user-agent": "Firefox/1",
      [CLIENT_ADDRESS_HEADER]: formatClientStamp(this.address),
    });
  }

  /** @param body a form, which is sent unchanged, or a value that is sent as JSON */
  async send(
    method: Method,
    path: string,
    body?: unknown,
    extraHeaders: Record<string, string> = {},
  ): Promise<Response> {
    const headers = this.headers;
    for (const [name, value] of Object.entries(extraHeaders)) headers.set(name, value);
    const isForm = body instanceof URLSearchParams;
    if (body !== undefined && !isForm) headers.set("Content-Type", "application/json");
    const request = new Request(ORIGIN + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const { auth, routes } = this.#login;
    const answer = await (path.startsWith("/api/auth/")
      ? auth[method === "GET" ? "GET" : "POST"](request)
      : routes[method](request));
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** @returns the login, the status that the wallet received, and the undo URL */
  async answerLogin(
    query: string,
    wallet: VirtualWallet,
  ): Promise<{ sid: string; status: number; undo?: string }> {
    const code = await this.send("GET", `/api/svc/qr?${query}`);
    if (code.status !== 200) throw new Error(`qr: ${code.status} ${await code.text()}`);
    const { sid, challenge } = await code.json();
    const action = query.startsWith("mode=login") ? "login" : "register";
    const answer = await this.#login.routes.POST(createWalletResponseRequest(wallet, challenge, action));
    return { sid, status: answer.status, undo: (await answer.json()).undo };
  }

  async signIn(sid: string): Promise<number> {
    return (await this.redeem(sid)).status;
  }

  async redeem(sid: string): Promise<Response> {
    const { csrfToken } = await (await this.send("GET", "/api/auth/csrf")).json();
    const form = new URLSearchParams({ csrfToken, sid, json: "true" });
    return this.send("POST", "/api/auth/callback/svc", form);
  }

  async userId(): Promise<number | string | null> {
    return (await this.#login.currentSession(this.headers))?.userId ?? null;
  }
}

export async function signInBrowser(login: Login<number | string>, wallet = new VirtualWallet()) {
  const browser = new SiteBrowser(login);
  const { sid } = await browser.answerLogin("mode=register", wallet);
  if ((await browser.signIn(sid)) !== 200) throw new Error("not signed in");
  return { browser, wallet, userId: await browser.userId() };
}

export async function createUserWithCodes(login: Login<number | string>) {
  const user = await signInBrowser(login);
  const codesAnswer = await user.browser.send("POST", "/api/account/recovery-codes", {});
  const { codes }: { codes: [string, string] } = await codesAnswer.json();
  const confirmed = await user.browser.send("POST", "/api/account/recovery-codes/confirm", { codes });
  if (confirmed.status !== 200) throw new Error(`confirm: ${confirmed.status} ${await confirmed.text()}`);
  return { ...user, codes };
}

export async function startRecovery(login: Login<number | string>, code: string): Promise<SiteBrowser> {
  const browser = new SiteBrowser(login);
  const response = await browser.send("POST", "/api/recovery", { code });
  if (response.status !== 200) throw new Error(`recovery: ${response.status} ${await response.text()}`);
  return browser;
}

export const RECOVERY_QUERY = "mode=register&intent=recover";

/**
 * The user has opened a recovery in `browser` and answered its code with a new wallet. `old` is the browser that was
 * signed in with the lost wallet.
 */
async function withNewWallet(login: Login<number | string>, signInStatus: number) {
  const { browser: oldBrowser, codes, userId, wallet: lostWallet } = await createUserWithCodes(login);
  const browser = await startRecovery(login, codes[0]);
  const wallet = new VirtualWallet();
  const { sid, undo = "" } = await browser.answerLogin(RECOVERY_QUERY, wallet);
  const status = await browser.signIn(sid);
  if (status !== signInStatus) throw new Error(`the sign-in of a recovery: ${status}`);
  return { old: oldBrowser, browser, wallet, lost: lostWallet, userId, codes, undo };
}

/** The browser `old` is still signed in. */
export const startPendingRecovery = (login: Login<number | string>) => withNewWallet(login, 401);

/** The user has not removed the lost wallet yet. */
export const recoverUser = (login: Login<number | string>) => withNewWallet(login, 200);
