import { beforeAll, describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Integrator, newIntegrator } from "#e2e/support/integrator.ts";

const urls = inject("appUrls");
const databaseUrl = inject("databaseUrl");

let domain: string;
let ownerId: string;

beforeAll(async () => {
  const integrator = await newIntegrator(urls[0], databaseUrl);
  ({ domain } = await integrator.registerDomain(databaseUrl));
  ({ ownerId } = integrator);
});

// A key of its own for each test: limits count by key.
const newKey = () => newIntegrator(urls[0], databaseUrl, { ownerId });

/** Sends `count` requests by turns to both processes, ten at once. */
async function send(count: number, one: (process: number) => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  for (let sent = 0; sent < count; sent += 10) {
    const batch = Array.from({ length: Math.min(10, count - sent) }, (_, index) => one(index % 2));
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

/** Specification 8: per API key, whatever the process. */
describe("rate limits", () => {
  test.each<[string, number, (by: Integrator) => Promise<Response>]>([
    ["POST /sessions", 100, (by) => by.post("/sessions", { domain })],
    ["GET /sessions/*", 300, (by) => by.get("/sessions/unknown")],
    ["POST /verify", 200, (by) => by.post("/verify", {})],
    ["everything else", 300, (by) => by.get("/domains")],
  ])("%s: %i a minute over both processes, then 429", async (_name, limit, one) => {
    const caller = await newKey();
    const processes = urls.map((url) => caller.at(url));
    const answers = await send(limit, (index) => one(processes[index] ?? caller));
    expect(answers.filter(({ status }) => status === 429)).toEqual([]);
    expect(new Set(answers.map(({ headers }) => headers.get("ratelimit-limit")))).toEqual(
      new Set([String(limit)]),
    );
    const remaining = answers.map(({ headers }) => Number(headers.get("ratelimit-remaining")));
    expect(remaining.toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: limit }, (_, i) => limit - 1 - i),
    );

    for (const process of processes) {
      const refused = await one(process);
      expect(refused.headers.get("ratelimit-remaining")).toBe("0");
      const wait = Number(refused.headers.get("retry-after"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      await expectApiError(refused, 429, "rate_limited");
    }
    // Another key of the same owner has its own.
    expect((await one(await newKey())).status).not.toBe(429);
  });

  test("a limit that is used up stops nothing else", async () => {
    const caller = await newKey();
    await send(101, () => caller.post("/sessions", {}));
    expect((await caller.post("/sessions", { domain })).status).toBe(429);
    expect((await caller.get("/sessions")).status).toBe(200);
    expect((await caller.post("/verify", {})).status).toBe(400);
  });
});
