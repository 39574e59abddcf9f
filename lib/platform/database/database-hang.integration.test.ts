import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { startTcpProxy, type TcpProxy } from "#e2e/support/tcp-proxy.ts";
import { createMigratedDatabase } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import type { TestDatabase } from "#tools/kit/database.ts";
import { answerRegistration, readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { sql } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import type { RunningServer } from "#tools/kit/start-server.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const GIVEN_UP_MS = 12_000;
const READY_MS = 2_000;

let database: TestDatabase;
let proxy: TcpProxy;
let app: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  app = await startApp({
    DATABASE_URL: url.href,
    DEMO_WALLET: "true",
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "warn",
  });
});

afterAll(async () => {
  await proxy?.heal();
  await app?.stop();
  await proxy?.close();
  await database?.close();
});

/** No data passes between the application and the database. */
async function whileSilent(act: () => Promise<void>): Promise<void> {
  proxy.swallow();
  try {
    await act();
  } finally {
    await proxy.heal();
    await untilReady();
  }
}

/** Waits until the earlier requests have been abandoned, by the database's clock too. */
async function waitOneMorePeriod(): Promise<void> {
  const response = await within(READY_MS, new Client(app.url).fetch("/readyz"));
  expect(response.status).toBe(503);
}

/** The pool notices that the database is back only at its next attempt. */
async function untilReady(): Promise<void> {
  while ((await new Client(app.url).fetch("/readyz")).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function within(ms: number, pendingResponse: Promise<Response>): Promise<Response> {
  const from = performance.now();
  const response = await pendingResponse;
  expect(performance.now() - from, response.url).toBeLessThan(ms);
  return response;
}

async function expectPage(response: Response): Promise<void> {
  expect(`${response.status} ${response.url}`).toMatch(/^503 /);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const text = await response.text();
  expect(text).toContain("Try again");
  expect(text).not.toMatch(/Where you are signed in|Dashboard|node_modules|prisma/i);
}

async function expectText(response: Response): Promise<void> {
  expect(`${response.status} ${await response.text()}`).toMatch(/^503 Error: \S/);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
}

/** The format is correct. */
const UNKNOWN_KEY = `svc_live_${"a".repeat(43)}`;

const PAGES = ["/login", "/register", "/fast", "/dashboard", "/dashboard?sid=x", "/dashboard/enter?sid=x"];

/** These work without the database. */
const OPEN_PAGES = ["/", "/docs", "/docs/guides/operations", "/wallet", "/get-a-wallet"];

/** The page must not claim to know whether a browser with a session cookie is signed in. */
async function expectOpenPage(response: Response, hasSession: boolean): Promise<void> {
  expect(`${response.status} ${response.url}`).toMatch(/^200 /);
  const text = await response.text();
  expect(text).toContain("<h1");
  if (!hasSession) return;
  expect(text).toContain("We cannot reach our database");
  const [header] = /<header.*?<\/header>/s.exec(text) ?? [];
  expect(header).not.toMatch(/\/login|\/dashboard/);
}

test("returns 503 in time while the database hangs, and recovers afterwards", async () => {
  const { browser, userId } = await signInBrowser(app.url);
  const login = await answerRegistration(app.url);
  const { sid, challenge } = await requestQr(new Client(app.url));
  const fast = await (await new Client(app.url).fetch("/api/getqrcode?sid=")).json();
  const wallet = new TestWallet();
  const stranger = new Client(app.url);
  const csrfToken = await browser.csrfToken();
  const cookies = [...browser.cookies];
  const answers: Response[] = [];
  const ask = async (ms: number, pendingResponse: Promise<Response>) => {
    const response = await within(ms, pendingResponse);
    answers.push(response);
    return response;
  };
  const json = async (pendingResponse: Promise<Response>, ms = GIVEN_UP_MS) =>
    expectApiError(await ask(ms, pendingResponse), 503, "service_unavailable");
  const form = { csrfToken, callbackUrl: "/", json: "true" };
  const signOut = () =>
    browser.fetch("/api/auth/signout", { method: "POST", body: new URLSearchParams(form) });

  await whileSilent(async () => {
    await json(stranger.fetch("/readyz"), READY_MS);
    await Promise.all([
      ...[browser, stranger].flatMap((client) => [
        json(client.fetch("/api/auth/session")),
        json(client.fetch("/api/auth/csrf")),
        ...PAGES.map(async (path) => expectPage(await ask(GIVEN_UP_MS, client.fetch(path)))),
        ...OPEN_PAGES.map(async (path) =>
          expectOpenPage(await ask(GIVEN_UP_MS, client.fetch(path)), client === browser),
        ),
      ]),
      json(signOut()),
      json(
        login.browser.fetch("/api/auth/callback/svc", {
          method: "POST",
          body: new URLSearchParams({ ...form, sid }),
        }),
      ),
      json(browser.delete("/api/account/sessions")),
      json(stranger.fetch("/api/svc/qr")),
      json(stranger.fetch(`/api/svc/events?sid=${sid}`)),
      json(stranger.post("/webhook/login", wallet.response(challenge))),
      json(stranger.fetch("/v1/domains", { headers: { Authorization: `Bearer ${UNKNOWN_KEY}` } })),
      ...["/api/getqrcode", `/api/checkfast?sid=${fast.sid}`].map(async (path) =>
        expectText(await ask(GIVEN_UP_MS, stranger.fetch(path))),
      ),
      // More requests than the process has connections.
      ...Array.from({ length: 30 }, () => json(stranger.fetch(`/api/svc/check?sid=${sid}`))),
      within(READY_MS, stranger.fetch("/healthz")).then(({ status }) => expect(status).toBe(200)),
    ]);
    // Repeats the request after every connection has been found to be unresponsive.
    await json(stranger.fetch("/readyz"), READY_MS);
    await json(browser.fetch("/api/auth/session"));
  });

  for (const { headers, url } of answers) expect(headers.getSetCookie(), url).toEqual([]);
  expect([...browser.cookies]).toEqual(cookies);
  expect(await readUserId(browser)).toBe(userId);
  expect((await browser.fetch("/dashboard")).status).toBe(200);
  expect((await login.browser.signIn("svc", login.sid)).status).toBe(200);
  expect(await readUserId(login.browser)).not.toBeNull();
  expect(app.output()).not.toMatch(/uncaught|unhandled/i);
});

test("returns 503 instead of 500 after the primary has died", async () => {
  const { browser, userId } = await signInBrowser(app.url);
  const cookies = [...browser.cookies];
  const login = await answerRegistration(app.url);
  const { sid, challenge } = await requestQr(new Client(app.url));
  const csrfToken = await browser.csrfToken();
  const form = () => new URLSearchParams({ csrfToken, sid: login.sid, json: "true" });
  const Authorization = `Bearer ${UNKNOWN_KEY}`;
  const code = () => new Client(app.url).fetch("/api/svc/qr");
  const allRequests = () => [
    ...["/api/getqrcode", `/api/svc/check?sid=${sid}`, `/api/svc/events?sid=${sid}`].map((path) =>
      new Client(app.url).fetch(path),
    ),
    new Client(app.url).post("/webhook/login", new TestWallet().response(challenge)),
    new Client(app.url).post("/api/recovery", { code: "00000" }),
    new Client(app.url).fetch("/v1/domains", { headers: { Authorization } }),
    login.browser.fetch("/api/auth/callback/svc", { method: "POST", body: form() }),
    ...["/dashboard", "/api/auth/session", `/dashboard/enter?sid=${sid}`].map((path) => browser.fetch(path)),
    browser.delete("/api/account/sessions"),
  ];
  proxy.die();
  try {
    const answers: Promise<Response>[] = [];
    // Sends requests immediately, while a connection is being opened, and after the first attempt has been abandoned.
    for (let burst = 0; burst < 4; burst++) {
      answers.push(...Array.from({ length: 40 }, code), ...allRequests());
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    for (const { status, url, headers } of await Promise.all(answers)) {
      expect(`${status} ${url}`).toMatch(/^503 /);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
    }
  } finally {
    proxy.revive();
    await untilReady();
  }
  expect((await code()).status).toBe(200);
  expect([...browser.cookies]).toEqual(cookies);
  expect(await readUserId(browser)).toBe(userId);
  expect((await browser.fetch("/dashboard")).status).toBe(200);
  await expectNotified(await waitForLogin());
  await expectJobDone();
  expect(app.output()).not.toMatch(/uncaught|unhandled/i);
});

/** The browser waits on an event stream. */
async function waitForLogin() {
  const browser = new Client(app.url);
  const { sid, challenge } = await requestQr(browser, "register");
  return { challenge, events: await browser.fetch(`/api/svc/events?sid=${sid}`) };
}

async function expectNotified({ challenge, events }: { challenge: string; events: Response }): Promise<void> {
  const response = await new Client(app.url).post("/webhook/register", new TestWallet().response(challenge));
  expect(response.status).toBe(200);
  expect(await events.text()).toContain('"authenticated"');
}

async function expectJobDone(): Promise<void> {
  await sql(database.url, "SELECT graphile_worker.add_job('prune')");
  const jobs = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'prune'";
  await expect.poll(() => sql(database.url, jobs), { timeout: 60_000 }).toEqual([]);
}

test("notifies event streams and jobs about a login once a hung database responds again", async () => {
  const waitingLogin = await waitForLogin();
  await whileSilent(async () => {
    await within(GIVEN_UP_MS, new Client(app.url).fetch("/api/svc/qr"));
  });
  await expectNotified(waitingLogin);
  await expectJobDone();
});

describe("an abandoned statement that reaches the database later", () => {
  test("does not authenticate the session if the wallet's response got 503", async () => {
    const { sid, challenge } = await requestQr(new Client(app.url), "register");
    await whileSilent(async () => {
      const delivery = new TestWallet().response(challenge);
      const response = await within(GIVEN_UP_MS, new Client(app.url).post("/webhook/register", delivery));
      await expectApiError(response, 503, "service_unavailable");
      await waitOneMorePeriod();
    });
    const state = "SELECT status FROM login_session WHERE sid = $1";
    expect(await sql(database.url, state, [sid])).toEqual([{ status: "pending" }]);
  });

  test("does not open a session if the sign-in got 503", async () => {
    const { browser, sid } = await answerRegistration(app.url);
    const csrfToken = await browser.csrfToken();
    const form = { csrfToken, sid, json: "true" };
    const signIn = () =>
      browser.fetch("/api/auth/callback/svc", { method: "POST", body: new URLSearchParams(form) });
    await whileSilent(async () => {
      await expectApiError(await within(GIVEN_UP_MS, signIn()), 503, "service_unavailable");
      await waitOneMorePeriod();
    });
    expect((await signIn()).status).toBe(200);
    expect(await readUserId(browser)).not.toBeNull();
  });
});

test("waits no longer for many slow responses in total than for one that never arrives", async () => {
  const { browser } = await signInBrowser(app.url);
  // The process's connections are already open, and each response is delayed.
  proxy.delay(4_000);
  try {
    await expectPage(await within(GIVEN_UP_MS, browser.fetch("/dashboard")));
  } finally {
    proxy.delay(0);
  }
  await untilReady();
  expect((await browser.fetch("/dashboard")).status).toBe(200);
});

// Must be the last test, because it stops the application.
test("stops after SIGTERM even while the database hangs", async () => {
  proxy.swallow();
  const from = performance.now();
  await app.stop();
  expect(performance.now() - from).toBeLessThan(25_000);
  expect(app.process.exitCode).toBe(0);
});
