import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Customer } from "#e2e/support/customer.ts";
import { createUserWithCodes, openRecovery, recover } from "#e2e/support/recovery.ts";
import { dumpDatabase, findSecrets, type Secret } from "#e2e/support/secret-scan.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { enterDashboard, postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { readUserId, requestQr } from "#tools/kit/login.ts";
import { type Receiver, startReceiver } from "#tools/kit/receiver.ts";
import { sql } from "#tools/kit/sql.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/**
 * Runs logins of all three flows, events, refusals and failures in a process that logs everything. Then searches the
 * log and the whole database for every secret that was used (docs/protocol.md#5-hosted-login).
 */

const NEXTAUTH_SECRET = "only-this-test-signs-with-these-40-letters";
const FORGED = '\r\n{"level":60,"msg":"forged"}\u001b[2J';

const app = startOwnApp({
  NEXTAUTH_SECRET,
  WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  HOSTED_DEMO: "true",
  LOG_LEVEL: "trace",
});
let receiver: Receiver;

/** Secrets that must appear neither in the log nor in the database. */
const secrets: Secret[] = [];
/** Values that the database stores, each with the reason. The log must not contain them. */
const stored: (Secret & { why: string })[] = [];

const hide = (name: string, value: string | null | undefined) => {
  if (!value || value.length < 16) throw new Error(`${name} is none: ${value}`);
  secrets.push({ name, value: decodeURIComponent(value) });
};
const keep = (name: string, value: string, reason: string) => stored.push({ name, value, why: reason });

function hideCookies(owner: string, { cookies }: Client): void {
  for (const [name, value] of cookies) {
    if (!name.includes("callback-url")) hide(`${owner}'s cookie ${name}`, value);
  }
}

beforeAll(async () => {
  receiver = await startReceiver();
  hide("NEXTAUTH_SECRET", NEXTAUTH_SECRET);
  const { password } = new URL(app.databaseUrl);
  if (password !== "") hide("the database's password", password);
  const browser = await siteLogin();
  await hostedLogin(browser);
  await fastLogin();
  await requestWithoutTables();
  await signOut(browser);
  await recovery();
  await app.stop();
});
afterAll(() => receiver?.close());

async function siteLogin(): Promise<Client> {
  const [browser, phone, wallet] = [new Client(app.url), new Client(app.url), new TestWallet()];
  const device_info = { platform: FORGED, version: FORGED, device_id: FORGED };
  const first = await requestQr(browser);
  const wrongResponse = wallet.response(first.challenge, { signature: wallet.sign("another text") });
  const unknown = wallet.response(first.challenge, { device_info });
  for (const response of [wrongResponse, unknown]) await phone.post("/webhook/login", response);
  const second = await requestQr(browser, "register", first.sid);
  const accepted = wallet.response(second.challenge, { device_info });
  for (let times = 0; times < 2; times++) await phone.post("/webhook/register", accepted);
  await new Client(app.url).signIn("svc", first.sid);
  expect((await browser.signIn("svc", first.sid)).status).toBe(200);
  expect(await readUserId(browser)).not.toBeNull();
  for (const path of ["/dashboard", "/console/test/keys", `/api/svc/check?sid=${first.sid}`]) {
    await (
      await browser.fetch(path, { headers: { "User-Agent": `x ${FORGED.trim().replace("\u001b", "")}` } })
    ).text();
  }
  hideCookies("the browser of site login", browser);
  for (const [name, { signature }] of Object.entries({ wrong: wrongResponse, unknown, accepted }))
    hide(`${name} signature of site login`, String(signature));
  keep("sid of site login", first.sid, "it names the session, and every code shows it");
  for (const { challenge } of [first, second])
    keep("challenge of site login", challenge, "it is found by its exact text");
  return browser;
}

async function hostedLogin(user: Client): Promise<void> {
  const keyAnswer = await user.post("/api/console/test/keys", { name: "scanned" }, { Origin: app.url });
  const { key }: { key: string } = await keyAnswer.json();
  const server = new Customer(app.url, { mode: "test", tenantId: "", apiKeyId: "", key });
  const webhookUrl = `${receiver.url}/events`;
  const domain = await server.registerDomain(app.databaseUrl, { domain: "scanned.test", webhookUrl });
  const rotated = await (await server.post(`/domains/${domain.id}/rotate-secret`)).json();
  const body = { domain: "scanned.test" };
  const session = await (
    await server.post("/sessions", body, { "Idempotency-Key": "an idempotency key" })
  ).json();
  await server.post("/sessions", body, { "Idempotency-Key": "an idempotency key" });
  const walletResponse = new TestWallet().response(session.challenge);
  expect((await new Client(app.url).post(`/webhook/sessions/${session.id}`, walletResponse)).status).toBe(
    200,
  );
  const { headers } = await receiver.nth("/events", 1);
  await server.post(`/domains/${domain.id}/test-event`);
  await receiver.nth("/events", 2);
  const revokedKey = `${key.slice(0, -4)}AAAA`;
  await new Client(app.url).fetch("/sandbox/v1/sessions", {
    headers: { Authorization: `Bearer ${revokedKey}` },
  });
  hide("API key", key);
  hide("API key that is wrong", revokedKey);
  hide("webhook secret before the rotation", domain.webhook_secret);
  hide("webhook secret", rotated.webhook_secret);
  hide("x-svc-signature", headers["x-svc-signature"]);
  hide("webhook-signature", headers["webhook-signature"]?.split(" ")[0]?.replace("v1,", ""));
  keep(
    "signature of hosted login",
    String(walletResponse.signature),
    "it is part of the event, whose bytes are kept to be sent again",
  );
  keep("sid of hosted login", session.id, "it names the session");
  keep("challenge of hosted login", session.challenge, "it is found by its exact text");
}

async function fastLogin(): Promise<void> {
  const [browser, wallet] = [new Client(app.url), new FastWallet()];
  const { qr, sid } = await requestFastQr(browser);
  const fields = wallet.fields(qr);
  await postWalletForm(new Client(app.url), qr, { ...fields, sig: wallet.sign("another text") });
  await postWalletForm(new Client(app.url), qr, fields);
  expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
  hideCookies("the browser of fast login", browser);
  hide("signature of fast login", fields.sig);
  keep("sid of fast login", sid, "it names the session");
  keep("challenge of fast login", new URL(qr).searchParams.get("c") ?? "", "it is found by its exact text");
}

// Internal errors log more than refusals do, including the database's message about the statement.
async function requestWithoutTables(): Promise<void> {
  const tables = ["login_session", "challenge", "browser_session", "api_key", "credential"];
  for (const table of tables) await sql(app.databaseUrl, `ALTER TABLE ${table} RENAME TO ${table}_gone`);
  const browser = new Client(app.url);
  const wallet = new TestWallet();
  for (const { name, value } of secrets)
    if (name.endsWith("svc-browser")) browser.cookies.set(name.split(" ").at(-1) ?? "", value);
  for (const { name, value } of stored) {
    if (name.startsWith("sid")) {
      for (const path of [
        "svc/qr?sid=",
        "svc/check?sid=",
        "svc/events?sid=",
        "checkfast?sid=",
        "getqrcode?sid=",
      ]) {
        await (await browser.fetch(`/api/${path}${value}`)).text();
      }
      await (await browser.fetch(`/dashboard/enter?sid=${value}`)).text();
      await browser.signIn("svc", value);
      await browser.post(`/webhook/sessions/${value}`, wallet.response("svc:login:localhost:1:x"));
    }
    if (name === "challenge of site login") {
      const walletResponse = wallet.response(value);
      hide("signature while tables are gone", String(walletResponse.signature));
      expect(
        (await browser.post(`/webhook/${value.split(":")[1]}`, walletResponse)).status,
      ).toBeGreaterThanOrEqual(500);
    }
  }
  const key = secrets.find(({ name }) => name === "API key")?.value;
  const answer = await browser.fetch("/sandbox/v1/domains", { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(500);
  for (const table of tables) await sql(app.databaseUrl, `ALTER TABLE ${table}_gone RENAME TO ${table}`);
}

async function recovery(): Promise<void> {
  const { codes, browser: oldBrowser } = await createUserWithCodes(app.url);
  const { browser } = await recover(app.url, codes[0].toLowerCase());
  await oldBrowser.post("/api/account/recovery-codes/check", { code: codes[1] });
  await openRecovery(new Client(app.url), codes[0]);
  for (const [place, code] of codes.entries()) {
    for (const text of [code, code.toLowerCase(), code.replaceAll("-", "").slice(0, 24)]) {
      hide(`recovery code ${place + 1}`, text);
    }
  }
  hideCookies("the browser that recovered", browser);
}

async function signOut(browser: Client): Promise<void> {
  expect((await browser.delete("/api/account/sessions")).status).toBe(204);
  expect(await readUserId(browser)).toBeNull();
}

describe("after all login flows have run", () => {
  test("has logged logins and failures, so the other tests search real output (control)", () => {
    for (const line of ["login authenticated", "login refused", "login signed_in", "request failed"]) {
      expect(app.output()).toContain(line);
    }
    expect(secrets.length).toBeGreaterThan(18);
    expect(stored.length).toBeGreaterThan(7);
  });

  test("does not log secrets, cookies, keys, signatures, full sids or challenges in any encoding", () => {
    expect(findSecrets(app.output(), [...secrets, ...stored])).toEqual([]);
  });

  test("writes each log entry on one line, so user input cannot forge an entry", () => {
    const lines = app
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(JSON.parse(line)).not.toMatchObject({ msg: "forged" });
    expect(app.output()).not.toContain("\u001b[2J");
  });

  test("stores only hashed or sealed secrets in the database", async () => {
    for (const [table, rows] of await dumpDatabase(app.databaseUrl)) {
      expect({ table, found: findSecrets(rows, secrets) }).toEqual({ table, found: [] });
    }
  });

  test("finds values that are known to be stored in plain text (control)", async () => {
    const dump = [...(await dumpDatabase(app.databaseUrl)).values()].join("\n");
    expect(findSecrets(dump, stored)).toEqual(stored.map(({ name }) => name));
  });

  test("would find a secret in a binary column (control)", async () => {
    const secret = secrets.find(({ name }) => name.endsWith("-svc-browser"));
    const bytes = Buffer.from(secret?.value ?? "", "base64url");
    await sql(app.databaseUrl, "UPDATE login_session SET browser_hash = $1", [bytes]);
    const dump = await dumpDatabase(app.databaseUrl);
    expect(findSecrets(dump.get("public.login_session") ?? "", secrets)).toContain(secret?.name);
  });
});
