import { describe, expect, onTestFinished, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import {
  createMigratedDatabase,
  databaseUrl,
  otherUrl,
  requestSharedApp,
  url,
} from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { setCounter } from "#tools/kit/sql.ts";
import { startApp } from "#tools/kit/start-app.ts";

type Send = () => Promise<Response>;
/** A limited caller: the end of its counter's key, and its requests to each of two processes. */
type Callers = { counted: string; one: Send[]; others: Send[] };

/** Limited by their client address. */
const address =
  (path: string, method = "GET") =>
  async (): Promise<Callers> => {
    const by = (client: Client) => () => client.fetch(path, { method });
    const first = new Client(url);
    return {
      counted: first.address,
      one: [by(first), by(new Client(otherUrl, first.address))],
      others: [by(new Client(url))],
    };
  };

/** Limited by their tenant, whichever key they use. */
const tenant = (method: string, path: string, body?: unknown) => async (): Promise<Callers> => {
  const by = (customer: Customer) => () => customer.call(method, path, body);
  const first = await newCustomer(url, databaseUrl);
  const { tenantId } = first;
  const sameCustomer = await newCustomer(otherUrl, databaseUrl, { tenantId });
  const live = await newCustomer(url, databaseUrl, { tenantId, mode: "live" });
  return {
    counted: tenantId,
    one: [by(first), by(sameCustomer)],
    others: [by(live), by(await newCustomer(url, databaseUrl))],
  };
};

const inTurn = (sends: Send[]) => (index: number) =>
  sends[index % sends.length]?.() ?? Promise.reject(new Error("nobody asks"));

/** All `count` requests are simultaneous. */
async function countStatuses(count: number, send: (index: number) => Promise<Response>) {
  const counts: Record<number, number> = {};
  for (const response of await Promise.all(Array.from({ length: count }, (_, index) => send(index)))) {
    counts[response.status] = (counts[response.status] ?? 0) + 1;
    await response.body?.cancel();
  }
  return counts;
}

describe("the application in two processes", () => {
  test.each<[name: string, limit: number, status: number, newCallers: () => Promise<Callers>]>([
    ["GET /api/svc/qr", 120, 200, address("/api/svc/qr")],
    ["POST /api/conformance/run/codes", 120, 415, address("/api/conformance/run/codes", "POST")],
    ["GET /api/svc/check", 1200, 404, address("/api/svc/check?sid=x")],
    ["POST /sessions", 100, 400, tenant("POST", "/sessions", {})],
    ["all other operations of the hosted API", 300, 200, tenant("GET", "/domains")],
  ])(
    "enforces the limit on requests per minute: %s, %i requests",
    async (_name, limit, status, newCallers) => {
      const { counted, one, others } = await newCallers();
      expect(await countStatuses(one.length, inTurn(one))).toEqual({ [status]: one.length });
      await setCounter(databaseUrl, counted, limit - 10);
      expect(await countStatuses(15, inTurn(one))).toEqual({ [status]: 10, 429: 5 });

      for (const send of one) {
        const refusal = await send();
        expect(refusal.headers.get("ratelimit-limit")).toBe(String(limit));
        expect(refusal.headers.get("ratelimit-remaining")).toBe("0");
        const wait = Number(refusal.headers.get("retry-after"));
        expect(wait).toBeGreaterThanOrEqual(1);
        expect(wait).toBeLessThanOrEqual(60);
        expect(refusal.headers.get("ratelimit-reset")).toBe(String(wait));
        await expectApiError(refusal, 429, "rate_limited");
      }
      expect(await countStatuses(others.length, inTurn(others))).toEqual({ [status]: others.length });
    },
  );

  test("counts each endpoint separately", async () => {
    const client = new Client(url);
    await client.fetch("/api/svc/qr");
    await setCounter(databaseUrl, client.address, 120);
    expect((await client.fetch("/api/svc/qr")).status).toBe(429);
    expect((await client.post("/webhook/login", {})).status).toBe(400);
    expect((await client.fetch("/api/svc/check?sid=x")).status).toBe(404);
  });

  test("counts each kind of a tenant's operations separately", async () => {
    const customer = await newCustomer(url, databaseUrl);
    await customer.post("/sessions", {});
    await setCounter(databaseUrl, customer.tenantId, 100);
    expect((await customer.post("/sessions", {})).status).toBe(429);
    expect((await customer.get("/sessions")).status).toBe(200);
    expect((await customer.post("/verify", {})).status).toBe(400);
  });
});

test("does not overflow a counter with the largest RATE_LIMIT_SCALE", async () => {
  const { url: unlimitedUrl } = await requestSharedApp("switchedOff");
  for (const address of ["203.0.113.200", "2001:db8:ffff:ffff::1"]) {
    const client = new Client(unlimitedUrl, address);
    const response = await client.fetch("/api/svc/check?sid=x");
    expect([response.status, response.headers.get("ratelimit-limit")]).toEqual([404, "2147482800"]);
    expect((await client.fetch("/login")).headers.get("ratelimit-limit")).toBe("1073741400");
  }
});

test("multiplies limits by RATE_LIMIT_SCALE, and ignores IP address headers unless a trusted proxy is configured", async () => {
  // A separate application: in a shared one, all other requests from this machine would also count.
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
