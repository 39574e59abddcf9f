import { once } from "node:events";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

async function watch(browser: Client, sid: string): Promise<EventStream> {
  const response = await browser.fetch(`/api/svc/events?sid=${sid}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("cache-control")).toContain("no-transform");
  expect(response.headers.get("x-request-id")).toMatch(/./);
  return new EventStream(response);
}

describe("GET /api/svc/events", () => {
  test("pushes the authentication that another process took, as check has it, and ends", async () => {
    const wallet = new TestWallet();
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    const stream = await watch(browser, sid);
    await stream.next();
    const answer = await new Client(otherUrl).post("/webhook/register", wallet.response(challenge));
    expect(answer.status).toBe(200);
    expect(await stream.next()).toEqual({ event: "message", data: await check(browser, sid) });
    expect(await stream.next()).toBeNull();
  });

  test("pushes unregistered, and pending again once the page asks for a new code", async () => {
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser);
    const stream = await watch(browser, sid);
    await stream.next();
    await new Client(url).post("/webhook/login", new TestWallet().response(challenge));
    expect(await stream.next()).toEqual({ event: "message", data: { status: "unregistered" } });
    await requestQr(browser, "login", sid);
    expect(await stream.next()).toEqual({ event: "message", data: { status: "pending" } });
    await stream.close();
  });

  test("tells that a wallet was refused and why, and goes on", async () => {
    const wallet = new TestWallet();
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    const stream = await watch(browser, sid);
    await stream.next();
    const forged = wallet.response(challenge, { signature: wallet.sign("another text") });
    await expectApiError(await new Client(url).post("/webhook/register", forged), 406, "invalid_signature");
    expect(await stream.next()).toEqual({ event: "refused", data: { reason: "invalid_signature" } });
    await new Client(url).post("/webhook/register", wallet.response(challenge));
    expect(await stream.next()).toMatchObject({ event: "message", data: { status: "authenticated" } });
  });

  test("tells of a refused delivery of an expired code", async () => {
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser);
    await ageLogin(databaseUrl, sid, 31);
    const stream = await watch(browser, sid);
    await stream.next();
    await new Client(url).post("/webhook/login", new TestWallet().response(challenge));
    expect(await stream.next()).toEqual({ event: "refused", data: { reason: "challenge_expired" } });
    await stream.close();
  });

  test("tells a login that is authenticated already, and ends", async () => {
    const { browser, sid } = await registered(url);
    const stream = await watch(browser, sid);
    expect(await stream.next()).toMatchObject({ data: { status: "authenticated" } });
    expect(await stream.next()).toBeNull();
  });

  test("answers 404 to a sid that the server did not make, and 400 to none", async () => {
    const browser = new Client(url);
    await requestQr(browser);
    await expectApiError(await browser.fetch("/api/svc/events?sid=unknown"), 404, "session_not_found");
    await expectApiError(await browser.fetch("/api/svc/events"), 400, "invalid_request");
  });

  test("answers 410 for a session that has ended", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    await ageLogin(databaseUrl, sid, 601);
    await expectApiError(await browser.fetch(`/api/svc/events?sid=${sid}`), 410, "session_expired");
  });
});

describe("the process", () => {
  test("outlives browsers that hang up, and stops at once with streams still open", async () => {
    const app = await startApp({ DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" });
    onTestFinished(() => app.stop());
    const wallet = new TestWallet();
    const browser = new Client(app.url);
    const { sid, challenge } = await requestQr(browser, "register");
    const gone = await Promise.all(Array.from({ length: 5 }, () => watch(browser, sid)));
    await Promise.all(gone.map((stream) => stream.next()));
    await Promise.all(gone.map((stream) => stream.close()));
    const stays = await watch(browser, sid);
    expect(await stays.next()).toMatchObject({ data: { status: "pending" } });
    // A notice for a session whose other streams are gone.
    await new Client(app.url).post("/webhook/register", wallet.response(challenge));
    expect(await stays.next()).toMatchObject({ data: { status: "authenticated" } });

    const second = new Client(app.url);
    const stream = await watch(second, (await requestQr(second)).sid);
    await stream.next();
    const ended = stream.next();
    const exited = once(app.process, "exit");
    app.process.kill("SIGTERM");
    expect(await ended).toBeNull();
    // Well before the drain's own deadline of 8 s, which would show as a signal or a hang.
    expect(await exited).toEqual([0, null]);
    expect(app.output()).not.toMatch(/Invalid state|uncaught|unhandled/i);
  });
});
