import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EventWorld } from "#e2e/support/event-world.ts";
import { requestSharedApp } from "#e2e/support/test-apps.ts";
import { readListings } from "#e2e/template/read-guide.ts";
import { createSignatureHeaders } from "#lib/hosted/crypto/webhook-signature.ts";
import { runReceiver } from "#packages/conformance/receiver/checks.ts";
import { Client } from "#tools/kit/client.ts";
import { findFreePort } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";
import { waitUntil } from "#tools/kit/waiting.ts";

/** Runs exactly the files of docs/hosted-quickstart.md. */

const ROOT = join(import.meta.dirname, "..", "..");
const QR_LIBRARY = join(ROOT, "node_modules", "qr", "index.js");

const SITES = [
  {
    language: "js",
    file: "server.mjs",
    command: [process.execPath, "--disable-warning=ExperimentalWarning"],
    library: "node_modules/qr/index.js",
  },
  {
    language: "python",
    file: "server.py",
    command: ["python3"],
    library: "qr.js",
  },
] as const;

function codeOf(language: string): string {
  const page = readFileSync(join(ROOT, "docs", "hosted-quickstart.md"), "utf8");
  const [, code] = page.match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms")) ?? [];
  if (!code) throw new Error(`the guide has no code in ${language}`);
  return code;
}

const world = new EventWorld(await requestSharedApp("sender"));

// Python might not be installed.
const runnable = SITES.filter(
  ({ command: [program] }) => spawnSync(program, ["--version"]).error === undefined,
);

describe.each(runnable)("the site in $language", ({ language, file, command, library }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-guide-"));
  let site: ChildProcess;
  let output = "";
  let url: string;
  let secret: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    const customer = await world.newCustomer();
    const webhook_url = `http://127.0.0.1:${port}/api/svc/webhook`;
    const registered = await customer.post("/domains", { domain: "localhost", webhook_url });
    const answer = await registered.json();
    expect(registered.status, JSON.stringify(answer)).toBe(201);
    secret = answer.webhook_secret;
    writeFileSync(join(folder, file), codeOf(language));
    writeFileSync(join(folder, "login.html"), codeOf("html"));
    mkdirSync(join(folder, "node_modules", "qr"), { recursive: true });
    cpSync(QR_LIBRARY, join(folder, library));
    const [program, ...flags] = command;
    site = spawn(program, [...flags, file], {
      cwd: folder,
      env: {
        ...process.env,
        APP_URL: url,
        PORT: String(port),
        SVC_API_URL: `${world.url}/sandbox/v1`,
        SVC_API_KEY: customer.key,
        SVC_WEBHOOK_SECRET: secret,
        PYTHONUNBUFFERED: "1",
      },
    });
    site.stdout?.on("data", (chunk) => (output += chunk));
    site.stderr?.on("data", (chunk) => (output += chunk));
    await waitUntil(async () => {
      if (site.exitCode !== null) throw new Error(output);
      return output.includes("Ready on");
    }, 60_000);
  });
  afterAll(async () => {
    if (site?.exitCode === null) {
      site.kill();
      await once(site, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });

  type StartedLogin = { sid: string; qr?: string };
  const start = async (browser: Client, sid = ""): Promise<StartedLogin> =>
    (await browser.fetch(`/api/start?sid=${sid}`, { method: "POST" })).json();
  const statusOf = (browser: Client, sid: string) => browser.fetch(`/api/status?sid=${sid}`);
  const enter = (browser: Client, sid: string) => browser.fetch(`/api/enter?sid=${sid}`, { method: "POST" });

  async function answer(
    { qr = "" }: StartedLogin,
    wallet: TestWallet,
  ): Promise<{ browser: { name: string }; undo: string }> {
    const { searchParams } = new URL(qr);
    const response = await fetch(searchParams.get("webhook") ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wallet.response(searchParams.get("challenge") ?? "")),
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  const untilAnswered = (browser: Client, sid: string) =>
    expect.poll(async () => (await statusOf(browser, sid)).json()).toEqual({ answered: true });

  /** Signed with the domain's secret or with another one. */
  function sendEvent(sid: string, { id = `msg_${randomUUID()}`, by = secret, wallet = new TestWallet() }) {
    const data = { public_key: wallet.publicKey, text: "ü" };
    const body = JSON.stringify({ event: "login", session_id: sid, data });
    const signatureHeaders = createSignatureHeaders({
      id,
      timestamp: Math.floor(Date.now() / 1000),
      body,
      secrets: [by],
    });
    const headers = { "Content-Type": "application/json", ...signatureHeaders };
    return fetch(`${url}/api/svc/webhook`, { method: "POST", headers, body });
  }

  test("signs in only the browser that started the login, and only once", async () => {
    const [browser, wallet] = [new Client(url), new TestWallet()];
    expect(await (await browser.fetch("/login")).text()).toContain("/qr.js");
    expect(await (await browser.fetch("/qr.js")).text()).toContain("export");
    const login = await start(browser);
    expect(await (await statusOf(browser, login.sid)).json()).toEqual({ answered: false });
    expect((await enter(browser, login.sid)).status).toBe(403);
    await answer(login, wallet);
    await untilAnswered(browser, login.sid);

    const entered = await Promise.all([enter(browser, login.sid), enter(browser, login.sid)]);
    expect(entered.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const [cookie = ""] = entered.flatMap(({ headers }) => headers.getSetCookie());
    expect(cookie).toMatch(/^port-\d+-visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await (await browser.fetch("/")).text()).toContain(wallet.publicKey);
    expect((await enter(browser, login.sid)).status).toBe(403);
  });

  test("does not sign in a second browser that knows the sid", async () => {
    const [browser, thief] = [new Client(url), new Client(url)];
    const login = await start(browser);
    await start(thief);
    await answer(login, new TestWallet());
    await untilAnswered(browser, login.sid);
    expect((await statusOf(thief, login.sid)).status).toBe(404);
    expect((await enter(thief, login.sid)).status).toBe(403);
    expect((await start(thief, login.sid)).sid).not.toBe(login.sid);
    expect(await (await thief.fetch("/")).text()).toContain("Signed out");
    expect((await enter(browser, login.sid)).status).toBe(200);
  });

  test("signs out a browser whose login was undone", async () => {
    const [browser, wallet] = [new Client(url), new TestWallet()];
    const headers = {
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    };
    const begin = async (): Promise<StartedLogin> =>
      (await browser.fetch("/api/start", { method: "POST", headers })).json();
    const [entered, waiting] = [await begin(), await begin()];
    const { browser: namedBrowser, undo } = await answer(entered, wallet);
    expect(namedBrowser).toEqual({ name: "Firefox on Linux" });
    await untilAnswered(browser, entered.sid);
    await enter(browser, entered.sid);
    expect(await (await browser.fetch("/")).text()).toContain(wallet.publicKey);
    expect((await fetch(undo, { method: "POST" })).status).toBe(200);
    await expect.poll(async () => (await browser.fetch("/")).text()).toContain("Signed out");

    const { undo: second } = await answer(waiting, wallet);
    await untilAnswered(browser, waiting.sid);
    expect((await fetch(second, { method: "POST" })).status).toBe(200);
    await expect.poll(async () => (await statusOf(browser, waiting.sid)).status).toBe(404);
    expect((await enter(browser, waiting.sid)).status).toBe(403);
  });

  test("keeps the logins in several tabs separate", async () => {
    const [browser, wallet] = [new Client(url), new TestWallet()];
    const binding = `port-${new URL(url).port}-svc-browser`;
    browser.cookies.set(binding, "planted");
    const first = await start(browser);
    expect(browser.cookies.get(binding)).not.toBe("planted");
    const second = await start(browser);
    expect(second.sid).not.toBe(first.sid);
    await answer(first, wallet);
    await untilAnswered(browser, first.sid);
    expect(await (await statusOf(browser, second.sid)).json()).toEqual({ answered: false });
    expect((await enter(browser, second.sid)).status).toBe(403);
    expect((await enter(browser, first.sid)).status).toBe(200);
  });

  test("refreshes a code without losing a login that was answered in the meantime", async () => {
    const browser = new Client(url);
    const login = await start(browser);
    const renewed = await start(browser, login.sid);
    expect(renewed.sid).toBe(login.sid);
    expect(renewed.qr).not.toBe(login.qr);
    await answer(renewed, new TestWallet());
    expect(await start(browser, login.sid)).toEqual({ sid: login.sid });
  });

  test("passes every receiver check of the conformance kit", async () => {
    const webhook = new URL(`${url}/api/svc/webhook`);
    const { results } = await runReceiver({ url: webhook, secret, timeoutSeconds: 30 });
    const failed = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
    expect(failed.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  });

  test("processes an event only once", async () => {
    const browser = new Client(url);
    const [first, second] = [await start(browser), await start(browser)];
    const wallet = new TestWallet();
    const id = `msg_${randomUUID()}`;
    expect((await sendEvent(first.sid, { id, wallet })).status).toBe(204);
    // Sends the same event id with different content.
    expect((await sendEvent(second.sid, { id })).status).toBe(204);
    expect(await (await statusOf(browser, second.sid)).json()).toEqual({ answered: false });
    // Sends another event for a login that has already been answered.
    expect((await sendEvent(first.sid, {})).status).toBe(204);
    expect(await (await enter(browser, first.sid)).json()).toEqual({ user: wallet.publicKey });
  });

  test("names the API's host in a delegation file that any origin can read", async () => {
    const response = await fetch(`${url}/.well-known/svc-login`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({ domain: "localhost", webhook_hosts: ["localhost"] });
  });
});

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

test.runIf(hasCurl)("receives an event with the commands from docs/api.md", async () => {
  const listings = readListings(readFileSync(join(ROOT, "docs", "api.md"), "utf8"));
  const customer = await world.newCustomer();
  const env = {
    ...process.env,
    SVC_API_URL: `${world.url}/sandbox/v1`,
    SVC_API_KEY: customer.key,
  };
  /** Runs the first listing with this beginning in a shell, and parses its output. */
  const ask = (beginning: string) => {
    const { text = "" } = listings.find((listing) => listing.text.startsWith(beginning)) ?? {};
    const { stdout, stderr } = spawnSync("sh", ["-c", text], { env, encoding: "utf8" });
    expect(stdout, stderr).not.toBe("");
    return JSON.parse(stdout);
  };
  const documentedFields = (field: string) =>
    Object.keys(
      JSON.parse(listings.find(({ text }) => text.startsWith(`{\n  "id": "${field}`))?.text ?? "{}"),
    );

  const domain = ask("curl -s $SVC_API_URL/domains");
  expect(documentedFields("dom_").length).toBeGreaterThan(3);
  expect(Object.keys(domain)).toEqual(expect.arrayContaining(documentedFields("dom_")));
  const session = ask("curl -s $SVC_API_URL/sessions");
  expect(documentedFields("9fpAZa").length).toBeGreaterThan(3);
  expect(Object.keys(session)).toEqual(expect.arrayContaining(documentedFields("9fpAZa")));

  const { searchParams } = new URL(session.qr_data);
  const response = await fetch(searchParams.get("webhook") ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(new TestWallet().response(session.challenge)),
  });
  expect(response.status).toBe(200);
  const [delivery] = ask("curl -s $SVC_API_URL/deliveries").deliveries;
  expect(delivery).toMatchObject({ event: "login", session_id: session.id });
  expect(ask('curl -s "$SVC_API_URL/deliveries?limit')).toMatchObject({ deliveries: [] });
  const idempotent =
    'curl -s $SVC_API_URL/sessions -H "Authorization: Bearer $SVC_API_KEY" -H "Idempotency-Key';
  expect(ask(idempotent).id).toBe(ask(idempotent).id);
});
