import { describe, expect, inject, onTestFinished, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { createMigratedDatabase, otherUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { startApp } from "#scripts/kit/start-app.ts";

/** Clients of both processes with one address. */
function clientPair(): [Client, Client] {
  const first = new Client(url);
  return [first, new Client(otherUrl, first.address)];
}

/** Sends `count` requests at once, by turns to both processes; the answers by status. */
async function countStatuses(count: number, send: (index: number) => Promise<Response>) {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 100) {
    const batch = Array.from({ length: Math.min(100, count - sent) }, (_, index) => send(sent + index));
    for (const response of await Promise.all(batch)) {
      counts[response.status] = (counts[response.status] ?? 0) + 1;
      await response.body?.cancel();
    }
  }
  return counts;
}

describe("a client's address, over both processes", () => {
  test.each([
    ["/api/svc/qr", "GET", 120, 200],
    ["/webhook/login", "POST", 120, 415],
    ["/webhook/register", "POST", 120, 415],
    ["/api/conformance/run/codes", "POST", 120, 415],
    ["/api/svc/check?sid=x", "GET", 1200, 404],
    ["/api/svc/events?sid=x", "GET", 1200, 404],
  ])("%s %s: %i a minute, then 429", async (path, method, limit, status) => {
    const pair = clientPair();
    const counts = await countStatuses(limit + 5, (index) =>
      (pair[index % 2] ?? pair[0]).fetch(path, { method }),
    );
    expect(counts).toEqual({ [status]: limit, 429: 5 });

    const refused = await pair[0].fetch(path, { method });
    expect(refused.headers.get("ratelimit-limit")).toBe(String(limit));
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit-reset")).toBe(String(wait));
    await expectApiError(refused, 429, "rate_limited");

    const neighbour = await new Client(url).fetch(path, { method });
    expect(neighbour.status).toBe(status);
    await neighbour.body?.cancel();
  });

  test("counts each endpoint by itself", async () => {
    const [client] = clientPair();
    await countStatuses(121, () => client.fetch("/api/svc/qr"));
    expect((await client.post("/webhook/login", {})).status).toBe(400);
    expect((await client.fetch("/api/svc/check?sid=x")).status).toBe(404);
  });

  test("sees the count fall with every answer, refusals included", async () => {
    const client = new Client(url);
    const remaining = [];
    for (const path of ["/api/svc/qr", "/api/svc/qr?mode=x", "/api/svc/qr?mode=a&mode=b"]) {
      const response = await client.fetch(path);
      expect(response.headers.get("ratelimit-limit")).toBe("120");
      remaining.push(response.headers.get("ratelimit-remaining"));
    }
    expect(remaining).toEqual(["119", "118", "117"]);
  });
});

test("the largest RATE_LIMIT_SCALE that is taken fits the counters, of networks too", async () => {
  for (const address of ["203.0.113.200", "2001:db8:ffff:ffff::1"]) {
    const client = new Client(inject("switchedOffUrl"), address);
    const response = await client.fetch("/api/svc/check?sid=x");
    expect([response.status, response.headers.get("ratelimit-limit")]).toEqual([404, "2147482800"]);
    expect((await client.fetch("/login")).headers.get("ratelimit-limit")).toBe("1073741400");
  }
});

test("without a trusted proxy no header moves a client to another address; RATE_LIMIT_SCALE scales", async () => {
  // Of its own: in a shared one, whatever asks from this machine's own address would be counted too.
  const database = await createMigratedDatabase();
  onTestFinished(() => database.close());
  const app = await startApp({
    DATABASE_URL: database.url,
    RATE_LIMIT_SCALE: "0.1",
    LOG_LEVEL: "warn",
  });
  onTestFinished(() => app.stop());
  const counts = await countStatuses(20, (index) =>
    fetch(`${app.url}/api/svc/qr`, { headers: { "X-Forwarded-For": `203.0.113.${index}` } }),
  );
  expect(counts).toEqual({ 200: 12, 429: 8 });
});
