import { describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Customer, type Mode, newCustomer } from "#e2e/support/customer.ts";
import { signedIn } from "#scripts/kit/login.ts";

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");

// A tenant of its own for each test: limits count by tenant.
const newTenant = () => newCustomer(urls[0], databaseUrl);
const anotherKey = ({ tenantId }: Customer, mode?: Mode) =>
  newCustomer(urls[0], databaseUrl, { tenantId, mode });

/** Sends `count` requests by turns to both processes, ten at once. */
async function send(count: number, one: (process: number) => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  for (let sent = 0; sent < count; sent += 10) {
    const batch = Array.from({ length: Math.min(10, count - sent) }, (_, index) => one(index % 2));
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

/** Per tenant, whatever the key and the process. */
describe("rate limits", () => {
  test.each<[string, number, (by: Customer) => Promise<Response>]>([
    ["POST /sessions", 100, (by) => by.post("/sessions", {})],
    ["GET /sessions/*", 300, (by) => by.get("/sessions/unknown")],
    ["POST /verify", 200, (by) => by.post("/verify", {})],
    ["everything else", 300, (by) => by.get("/domains")],
  ])("%s: %i a minute over both processes, then 429", async (_name, limit, one) => {
    const caller = await newTenant();
    const other = await anotherKey(caller);
    const processes = [caller.at(urls[0]), other.at(urls[1])];
    const answers = await send(limit, (index) => one(processes[index] ?? caller));
    expect(answers.filter(({ status }) => status === 429)).toEqual([]);
    expect(new Set(answers.map(({ headers }) => headers.get("ratelimit-limit")))).toEqual(
      new Set([String(limit)]),
    );
    const remaining = answers.map(({ headers }) => Number(headers.get("ratelimit-remaining")));
    expect(remaining.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: limit }, (_, i) => limit - 1 - i),
    );

    for (const process of [...processes, await anotherKey(caller)]) {
      const refused = await one(process);
      expect(refused.headers.get("ratelimit-remaining")).toBe("0");
      const wait = Number(refused.headers.get("retry-after"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      await expectApiError(refused, 429, "rate_limited");
    }
    // The tenant's other mode has its own, and so has another tenant.
    expect((await one(await anotherKey(caller, "live"))).status).not.toBe(429);
    expect((await one(await newTenant())).status).not.toBe(429);
  });

  test("the owner's console counts as their keys do, and keeps its own for the rest", async () => {
    const { browser } = await signedIn(urls[0]);
    const post = (path: string, body: unknown) =>
      browser.post(`/api/console/test${path}`, body, { Origin: urls[0] });
    const created = await post("/keys", { name: "shared" });
    const { key } = z.object({ key: z.string() }).parse(await created.json());
    const caller = new Customer(urls[0], { mode: "test", tenantId: "", apiKeyId: "", key });
    await send(199, () => caller.post("/verify", {}));
    expect((await post("/verify", {})).headers.get("ratelimit-remaining")).toBe("0");
    for (const refused of [await post("/verify", {}), await caller.post("/verify", {})]) {
      await expectApiError(refused, 429, "rate_limited");
    }
    // A key that is used all the time does not keep its tenant from making another, or revoking it.
    await send(301, () => caller.get("/domains"));
    expect((await caller.get("/domains")).status).toBe(429);
    expect((await post("/keys", { name: "another" })).status).toBe(201);
  });

  test("a limit that is used up stops nothing else", async () => {
    const caller = await newTenant();
    const { domain } = await caller.registerDomain(databaseUrl);
    await send(101, () => caller.post("/sessions", {}));
    expect((await caller.post("/sessions", { domain })).status).toBe(429);
    expect((await caller.get("/sessions")).status).toBe(200);
    expect((await caller.post("/verify", {})).status).toBe(400);
  });
});
