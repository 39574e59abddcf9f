import { describe, expect, test, vi } from "vitest";
import { EventStream } from "#e2e/support/event-stream.ts";
import { openRecovery, WRONG_CODE } from "#e2e/support/recovery.ts";
import { startOwnApp, url as withoutToken } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { requestQr, signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const TOKEN = "a token for the tests of metrics";
const app = startOwnApp({ METRICS_TOKEN: TOKEN });

const ask = (authorization?: string) =>
  fetch(`${app.url}/metrics`, { headers: authorization ? { Authorization: authorization } : {} });

const unixNow = () => Math.floor(Date.now() / 1000);

/** The keys are names with labels. */
async function scrape(): Promise<Map<string, number>> {
  const response = await ask(`Bearer ${TOKEN}`);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("GET /metrics", () => {
  test("answers only requests with METRICS_TOKEN", async () => {
    const response = await ask(`Bearer ${TOKEN}`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("no-store");
    for (const other of [
      undefined,
      "Bearer",
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
    ]) {
      const refusal = await ask(other);
      expect(refusal.status).toBe(401);
      expect(refusal.headers.get("www-authenticate")).toBe("Bearer");
      expect(await refusal.text()).not.toContain("svc_");
    }
  });

  test("returns 404 if METRICS_TOKEN is not set", async () => {
    for (const authorization of ["Bearer ", `Bearer ${TOKEN}`, "Bearer undefined"]) {
      const response = await fetch(`${withoutToken}/metrics`, { headers: { Authorization: authorization } });
      expect(response.status).toBe(404);
    }
  });

  test("counts each step of a login, and each request by its route pattern", async () => {
    const before = await scrape();
    const wallet = new TestWallet();
    const { sid } = await signInBrowser(app.url, wallet);
    const client = new Client(app.url);
    await client.fetch(`/api/svc/check?sid=${sid}`);
    const unknown = `svc:login:localhost:${unixNow()}:${"x".repeat(32)}`;
    await client.post("/webhook/login", wallet.response(unknown));
    await openRecovery(client, WRONG_CODE);
    // A response is counted only after it has been sent completely, so its body must be read.
    const visit = async (path: string, method = "GET") => (await client.fetch(path, { method })).text();
    await visit(`/webhook/sessions/${sid}`);
    await visit(`/nothing/${sid}`);
    await visit("/metrics", "POST");
    await visit("/login");
    const request = (method: string, route: string, status: number) =>
      `svc_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
    const step = (outcome: string, reason = "") =>
      `svc_login_steps_total{flow="login",outcome="${outcome}",reason="${reason}"}`;
    const growth = (after: Map<string, number>, name: string) =>
      (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const countedRequests = async () => {
      const now = await scrape();
      return growth(now, request("GET", "/login", 200)) > 0 && now;
    };
    const after = await vi.waitUntil(countedRequests, { timeout: 10_000 });
    for (const name of [
      request("POST", "/webhook/register", 200),
      request("GET", "/api/svc/check", 200),
      'svc_http_request_duration_seconds_count{route="/api/svc/check"}',
      request("POST", "/api/auth/callback/svc", 200),
      request("GET", "/login", 200),
      request("GET", "/webhook/sessions/:id", 405),
      request("GET", "other", 404),
      request("POST", "/metrics", 405),
      request("POST", "/webhook/login", 408),
      ...[step("issued"), step("authenticated"), step("signed_in"), step("refused", "challenge_unknown")],
      "svc_recovery_wrong_codes_total",
    ]) {
      expect([name, growth(after, name)]).toEqual([name, 1]);
    }
    expect([...after.keys()].join("\n")).not.toContain(sid);
    expect(after.get("svc_database_up")).toBe(1);
    expect(after.get('svc_database_connections{state="total"}')).toBeGreaterThan(0);
    expect(after.get("svc_events_pending")).toBeGreaterThanOrEqual(0);
  });

  test("reports the number of open event streams", async () => {
    const browser = new Client(app.url);
    const { sid } = await requestQr(browser);
    const streams = async () => (await scrape()).get("svc_event_streams");
    const stream = new EventStream(await browser.fetch(`/api/svc/events?sid=${sid}`));
    await expect.poll(streams).toBe(1);
    await stream.close();
    await expect.poll(streams).toBe(0);
  });
});
