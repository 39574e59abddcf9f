import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { exchangeRaw, formatRawRequest } from "#e2e/support/raw-http.ts";
import { expectSafeAnswer } from "#e2e/support/security-headers.ts";
import { startOwnApp } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin, enterDashboard } from "#tools/kit/fast-login.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { setCounter } from "#tools/kit/sql.ts";
import { NEXT_START, startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/**
 * `npm start`, whose process the other tests use, and Next.js's own `next start` (docs/decisions/0035), with an empty
 * database and no proxy.
 */

const DATABASE_URL = inject("databaseUrl");

const app = startOwnApp({ TRUSTED_PROXIES: "0", HOSTED_DEMO: "true" }, { empty: true, args: NEXT_START });

describe("under plain `next start`", () => {
  test("starts, migrates the database and becomes ready", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      expect((await fetch(app.url + path)).status, path).toBe(200);
    }
  });

  test("registers a user and signs them in and out", async () => {
    const { browser, wallet, userId } = await signInBrowser(app.url);
    expect(await (await browser.fetch("/dashboard")).text()).toContain(wallet.fingerprint());
    const copiedBrowser = browser.copy();
    const csrfToken = await browser.csrfToken();
    await browser.post("/api/auth/signout", { csrfToken });
    expect(await readUserId(copiedBrowser)).toBeNull();
    expect((await signInBrowser(app.url, wallet)).userId).toBe(userId);
  });

  test("signs a user in with a Bitcoin address", async () => {
    const { browser, sid } = await answerFastLogin(app.url);
    expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
    expect(await readUserId(browser)).toEqual(expect.any(Number));
  });

  test("accepts a wallet's answer to a session of the hosted API", async () => {
    const customer = await newCustomer(app.url, app.databaseUrl);
    const { domain } = await customer.registerDomain(app.databaseUrl);
    const { id, challenge } = await customer.createSession(domain);
    const answer = new TestWallet().response(challenge);
    const response = await new Client(app.url).post(`/webhook/sessions/${id}`, answer);
    expect(response.status).toBe(200);
    const session = await (await customer.get(`/sessions/${id}`)).json();
    expect(session.status).toBe("authenticated");
  });

  test("sets every security header on every kind of response", async () => {
    const paths = [
      "/",
      "/login",
      "/wallet",
      "/dashboard",
      "/nowhere",
      "/healthz",
      "/favicon.svg",
      "/api/svc/qr",
    ];
    paths.push(
      "/api/svc/check",
      "/api/svc/nowhere",
      "/v1/nowhere",
      "/api/auth/session",
      "/webhook/login?s=x",
    );
    for (const path of paths) {
      const answer = await fetch(app.url + path, { redirect: "manual" });
      const { status, headers } = answer;
      expectSafeAnswer(path, { status, headers, body: await answer.text(), secure: false });
    }
  });

  test.each([
    [404, "an unknown path", "GET /api/svc/nowhere", "not_found"],
    [405, "a method", "DELETE /webhook/login", "method_not_allowed"],
    [405, "TRACE", "TRACE /api/svc/qr", "method_not_allowed"],
    [400, "broken percent-encoding", "GET /v1/domains/%E0%A4%A", "invalid_request"],
    [414, "a long URL", `GET /api/svc/check?sid=${"x".repeat(4_100)}`, "uri_too_long"],
  ])("returns an API error in the API's own format: %i for %s", async (status, _what, line, code) => {
    const answer = await exchangeRaw(app.url, formatRawRequest(`${line} HTTP/1.1`));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  });

  test("refuses a body that is too large", async () => {
    const response = await new Client(app.url).post("/webhook/login", { body: "x".repeat(70_000) });
    expect(response.status).toBe(413);
  });

  test("does not let a client choose the IP address to which its requests are counted", async () => {
    const { port } = new URL(app.url);
    const forged = (index: number) => ({
      "X-Client-Address": `198.51.100.${index}`,
      "X-Forwarded-For": `203.0.113.${index}`,
      "X-Real-IP": `203.0.113.${index}`,
      Forwarded: `for=203.0.113.${index}`,
    });
    const post = (host: string, index: number) =>
      fetch(`http://${host}:${port}/webhook/register`, { method: "POST", headers: forged(index) });
    expect((await post("127.0.0.1", 0)).status).toBe(415);
    await setCounter(app.databaseUrl, "webhook-register:127.0.0.1", 119);
    expect((await post("127.0.0.1", 1)).status).toBe(415);
    expect((await post("127.0.0.1", 2)).status).toBe(429);
    // Another client, with its own IP address.
    expect((await post("[::1]", 2)).status).toBe(415);
  });

  test("listens only on HOST, and stops even with an open event stream", async () => {
    const separateApp = await startApp(
      { DATABASE_URL: app.databaseUrl, HOST: "127.0.0.1", LOG_LEVEL: "warn" },
      { args: NEXT_START },
    );
    onTestFinished(() => separateApp.stop("SIGKILL"));
    const { port } = new URL(separateApp.url);
    const elsewhere = await fetch(`http://[::1]:${port}/api/svc/qr`);
    expect([elsewhere.status, await elsewhere.json()]).toEqual([
      403,
      { error: { code: "forbidden", message: expect.stringContaining("Set HOST"), details: {} } },
    ]);
    const browser = new Client(`http://127.0.0.1:${port}`);
    const { sid } = await requestQr(browser);
    expect((await browser.fetch(`/api/svc/events?sid=${sid}`)).status).toBe(200);
    const stopped = separateApp.stop().then(() => "stopped");
    expect(await Promise.race([stopped, sleep(7_000, "still running")])).toBe("stopped");
  }, 240_000);

  test("does not start on an old Node, and names the version that it needs", async () => {
    const start = startApp({ DATABASE_URL: app.databaseUrl }, { args: ["--no-strip-types", ...NEXT_START] });
    await expect(start).rejects.toThrow(/exit code 1:[\s\S]*Not started: Node 22\.18 or newer is needed/);
  });
});

describe("HOST under `npm start`", () => {
  test("is the only address on which the server listens", async () => {
    const app = await startApp({
      DATABASE_URL,
      HOST: "127.0.0.1",
      APP_URL: "http://login.example.com",
      ALLOW_INSECURE_HTTP: "true",
      LOG_LEVEL: "warn",
    });
    onTestFinished(() => app.stop());
    expect(app.output()).toContain("Ready on http://login.example.com");
    const port = new URL(app.url).port;
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await expect(fetch(`http://[::1]:${port}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("prevents the server from starting if the machine does not have this IP address", async () => {
    const start = startApp({ DATABASE_URL, HOST: "198.51.100.231", LOG_LEVEL: "warn" });
    await expect(start).rejects.toThrow(
      "Not started: HOST: 198.51.100.231 is not an address of this machine; expected",
    );
  });
});

describe("starting with invalid settings", () => {
  const startError = (variables: Record<string, string>, how = {}) =>
    startApp({ DATABASE_URL, LOG_LEVEL: "warn", ...variables }, how).then(
      () => "started",
      (error) => String(error),
    );

  test.each([
    ["npm start", {}],
    ["next start", { args: NEXT_START }],
  ])("fails with a list of the invalid variables and their expected values: %s", async (_command, how) => {
    const bad = [
      ["RATE_LIMIT_SCALE", "1000000000", "a limit does not fit its counter"],
      ["NEXTAUTH_SECRET", "a".repeat(40), "10 of them different"],
      ["NEXTAUTH_SECRET_PREVIOUS", "0123456789".repeat(3), "32 characters or more"],
      ["METRICS_TOKEN", "z".repeat(64), "10 of them different"],
      ["HOST", "login.example.com", "expected an IP address of this machine"],
    ] as const;
    const message = await startError(Object.fromEntries(bad.map(([name, value]) => [name, value])), how);
    expect(message).toContain("Not started:\n");
    for (const [name, , expected] of bad) expect(message).toMatch(new RegExp(`^${name}: .*${expected}`, "m"));
  });

  test("fails if the origin is public but the database and the secret are not configured", async () => {
    const unset = { DATABASE_URL: "", NEXTAUTH_SECRET: "" };
    const message = await startError({ ...unset, APP_URL: "https://login.example.com" });
    expect(message).toMatch(
      /exit code 1:[\s\S]*Not started:\nDATABASE_URL: required .*\nNEXTAUTH_SECRET: required .*\n$/,
    );
  });
});
