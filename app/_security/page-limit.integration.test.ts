import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGES } from "#e2e/support/addresses.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { databaseUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";

/** Pages are limited by client address. */

/** A twentieth of the real limit, so that fewer pages have to be asked for. */
const LIMIT = 30;
/** Counted as any page is, and answered by a redirect: nothing has to be rendered. */
const PAGE = "/login/";
const PERMITTED = 308;
const apps: RunningServer[] = [];

beforeAll(async () => {
  const variables = {
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_SCALE: "0.05",
    TRUSTED_PROXIES: "1",
    DEMO_WALLET: "true",
    LOG_LEVEL: "warn",
  };
  apps.push(...(await Promise.all([startApp(variables), startApp(variables)])));
});
afterAll(() => Promise.all(apps.map((app) => app.stop())));

const [first, second] = [() => apps[0]?.url ?? "", () => apps[1]?.url ?? ""];

async function statusOf(client: Client, path = PAGE): Promise<number> {
  const response = await client.fetch(path);
  await response.body?.cancel();
  return response.status;
}

describe("pages", () => {
  test("of one client end at the limit over both processes", async () => {
    const client = new Client(first());
    const pair = [client, new Client(second(), client.address)];
    const statuses = await Promise.all(
      Array.from({ length: LIMIT + 10 }, (_, sent) => statusOf(pair[sent % 2] ?? client)),
    );
    expect(statuses.filter((status) => status === PERMITTED)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test("beyond the limit are a page for people and the error body for programs", async () => {
    const client = new Client(first());
    await Promise.all(Array.from({ length: LIMIT }, () => statusOf(client)));
    await expectApiError(await client.fetch("/login"), 429, "rate_limited");
    const refused = await client.fetch("/login", { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(await refused.text()).toContain("Too many requests from your network");
    // What a page that is open already needs goes on.
    for (const path of ["/api/auth/session", "/favicon.svg", "/healthz", "/readyz"]) {
      expect([path, await statusOf(client, path)]).toEqual([path, 200]);
    }
  });

  test("are all of them counted, 600 a minute, whatever they are and however they are asked for", async () => {
    const client = new Client(url);
    const asked: [string, RequestInit?][] = [
      ...PAGES.map(({ path }): [string] => [path]),
      ["/nothing-here.php"],
      ["/api/nothing-here"],
      ["/_next/nothing-here"],
      ["/webhook/login"],
      ["/login", { method: "HEAD" }],
      ["/login?_rsc=1", { headers: { RSC: "1" } }],
    ];
    for (const [index, [path, init]] of asked.entries()) {
      const { headers, body } = await client.fetch(path, init);
      await body?.cancel();
      const limits = [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")];
      expect([path, ...limits]).toEqual([path, "600", String(599 - index)]);
      expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThan(0);
    }
  });
});
