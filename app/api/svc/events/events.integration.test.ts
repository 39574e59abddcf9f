import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { EventStream } from "#e2e/support/event-stream.ts";
import { databaseUrl, otherUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerRegistration, checkLogin, requestQr } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

async function watch(browser: Client, sid: string): Promise<EventStream> {
  const response = await browser.fetch(`/api/svc/events?sid=${sid}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("cache-control")).toContain("no-transform");
  // This header turns off nginx's buffering.
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("x-request-id")).toMatch(/./);
  return new EventStream(response);
}

/** Returns a browser whose event stream has sent the pending status. */
async function watched(mode: string, at = url) {
  const browser = new Client(at);
  const { sid, challenge } = await requestQr(browser, mode);
  const stream = await watch(browser, sid);
  expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
  return { browser, sid, challenge, stream };
}

describe("GET /api/svc/events", () => {
  test("returns 204 to an EventSource that reconnects after the stream has ended", async () => {
    const { browser, sid, challenge, stream } = await watched("register");
    await new Client(url).post("/webhook/register", new TestWallet().response(challenge));
    const last = await stream.next();
    expect(last).toMatchObject({ id: "end", data: { status: "authenticated" } });
    const reconnect = (id: string) =>
      browser.fetch(`/api/svc/events?sid=${sid}`, { headers: { "Last-Event-ID": id } });
    const answer = await reconnect(String(last?.id));
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    // The server must not end the stream for other ids: the login might have continued while the connection was down.
    expect((await reconnect("7")).status).toBe(200);
  });

  test('pushes "authenticated" after another process has accepted the response, then ends', async () => {
    const { browser, sid, challenge, stream } = await watched("register");
    const walletResponse = new TestWallet().response(challenge);
    const answer = await new Client(otherUrl).post("/webhook/register", walletResponse);
    expect(answer.status).toBe(200);
    expect(await stream.next()).toMatchObject({ event: "message", data: await checkLogin(browser, sid) });
    expect(await stream.next()).toBeNull();
  });

  test('pushes "unregistered", and "pending" once the page requests a new code', async () => {
    const { browser, sid, challenge, stream } = await watched("login");
    await new Client(url).post("/webhook/login", new TestWallet().response(challenge));
    expect(await stream.next()).toEqual({ event: "message", data: { status: "unregistered" } });
    await requestQr(browser, "login", sid);
    expect(await stream.next()).toEqual({ event: "message", data: { status: "pending" } });
    await stream.close();
  });

  test.each(["invalid_signature", "challenge_expired", "intent_mismatch"] as const)(
    "pushes a wallet's refusal and stays open: %s",
    async (reason) => {
      const wallet = new TestWallet();
      const { browser, sid, challenge, stream } = await watched("register");
      const changes = {
        invalid_signature: { signature: wallet.sign("another text") },
        challenge_expired: {},
        intent_mismatch: { intent: "add" },
      }[reason];
      if (reason === "challenge_expired") await backdateLogin(databaseUrl, sid, 31);
      await new Client(url).post("/webhook/register", wallet.response(challenge, changes));
      expect(await stream.next()).toEqual({ event: "refused", data: { reason } });
      const next = await requestQr(browser, "register", sid);
      await new Client(url).post("/webhook/register", wallet.response(next.challenge));
      expect(await stream.next()).toMatchObject({ event: "message", data: { status: "authenticated" } });
    },
  );

  test("pushes the status of an authenticated login immediately and ends", async () => {
    const { browser, sid } = await answerRegistration(url);
    const stream = await watch(browser, sid);
    expect(await stream.next()).toMatchObject({ data: { status: "authenticated" } });
    expect(await stream.next()).toBeNull();
  });
});

describe("a process with open event streams", () => {
  test("tolerates browsers that disconnect, and stops without delay", async () => {
    const app = await startApp({ DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" });
    onTestFinished(() => app.stop());
    const { browser, sid, challenge, stream: stays } = await watched("register", app.url);
    const openStreams = await Promise.all(Array.from({ length: 5 }, () => watch(browser, sid)));
    await Promise.all(openStreams.map((stream) => stream.next()));
    await Promise.all(openStreams.map((stream) => stream.close()));
    // Answers the login of the stream that is still open.
    await new Client(app.url).post("/webhook/register", new TestWallet().response(challenge));
    expect(await stays.next()).toMatchObject({ data: { status: "authenticated" } });

    const { stream } = await watched("login", app.url);
    const ended = stream.next();
    const exited = once(app.process, "exit");
    app.process.kill("SIGTERM");
    expect(await ended).toBeNull();
    // The process must exit before the drain's 8-second deadline, after which it would be killed.
    expect(await exited).toEqual([0, null]);
    expect(app.output()).not.toMatch(/Invalid state|uncaught|unhandled/i);
  });
});
