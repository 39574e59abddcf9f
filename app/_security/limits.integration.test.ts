import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { PAGES } from "#e2e/support/endpoints.ts";
import { databaseUrl, otherUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { countRequests } from "#tools/kit/sql.ts";

const LIMIT = 120;
const PAGES_A_MINUTE = 600;

/** By default, requests QR codes. Sends a hundred requests at a time, alternating between both processes. */
async function refused(
  count: number,
  from: string | ((index: number) => string),
  initOf: (index: number) => {
    path?: string;
    method?: string;
    headers?: Record<string, string>;
  } = () => ({}),
): Promise<number> {
  const answers: number[] = [];
  while (answers.length < count) {
    const batch = Array.from({ length: Math.min(100, count - answers.length) }, async (_, place) => {
      const index = answers.length + place;
      const { path = "/api/getqrcode", method, headers } = initOf(index);
      const forwarded = { "X-Forwarded-For": typeof from === "string" ? from : from(index) };
      const at = (index % 2 ? url : otherUrl) + path;
      const init = { method, headers: { ...forwarded, ...headers }, redirect: "manual" } as const;
      const response = await fetch(at, init);
      await response.body?.cancel();
      return response.status;
    });
    answers.push(...(await Promise.all(batch)));
  }
  expect(answers.filter((status) => ![200, 308, 429].includes(status))).toEqual([]);
  return answers.filter((status) => status === 429).length;
}

const inTurn = (values: string[]) => (index: number) => values[index % values.length] ?? "";

const hex = (bytes: number) =>
  randomBytes(bytes)
    .toString("hex")
    .replace(/(.{4})(?=.)/g, "$1:");

function countNetwork(prefix: string, count: number): Promise<void> {
  const groups = prefix.split(":").map((group) => Number.parseInt(group, 16).toString(16));
  return countRequests(databaseUrl, { limit: "getqrcode", caller: `${groups.join(":")}::/48`, count });
}

describe("the rate limit per client", () => {
  test("counts all addresses of a /64 as one client", async () => {
    const network = `2001:db8:${hex(4)}`;
    expect(await refused(LIMIT + 10, () => `${network}:${hex(8)}`)).toBe(10);
  });

  test("limits all /64s in a /48 together to the requests of eight clients", async () => {
    const network = `2001:db8:${hex(2)}`;
    await countNetwork(network, 8 * LIMIT - 30);
    expect(await refused(50, (index) => `${network}:${index.toString(16)}::1`)).toBe(20);
    expect(await refused(1, `2001:db8:${hex(2)}::1`)).toBe(0);
  });

  test("does not count a /64's refused requests towards the /48's limit", async () => {
    const network = `2001:db8:${hex(2)}`;
    await countNetwork(network, 7 * LIMIT - 30);
    expect(await refused(2 * LIMIT, `${network}::1`)).toBe(LIMIT);
    expect(await refused(35, (index) => `${network}:${(1 + index).toString(16)}::1`)).toBe(5);
  });

  test("ignores forged headers that imitate a proxy, a cache or the gate", async () => {
    const { address } = new Client(url);
    await countRequests(databaseUrl, { limit: "getqrcode", caller: address, count: LIMIT - 20 });
    const names = ["X-Real-IP", "X-Client-Address", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP"];
    const other = (index: number) => `10.9.${index}.1`;
    const forged = (index: number) => ({
      headers: {
        ...Object.fromEntries([...names, "X-Request-Id"].map((name) => [name, other(index)])),
        Forwarded: `for=${other(index)}`,
      },
    });
    expect(await refused(27, (index) => `${other(index)}, ${address}`, forged)).toBe(7);
  });

  test("counts a client's requests together, whatever their method and query", async () => {
    const { address } = new Client(url);
    await countRequests(databaseUrl, { limit: "qr", caller: address, count: LIMIT - 20 });
    const queries = inTurn(["", "?mode=register", "?x=1", "?sid=x&mode=login"]);
    const variants = (index: number) => ({
      path: `/api/svc/qr${queries(index)}`,
      method: index % 2 ? "GET" : "HEAD",
    });
    expect(await refused(28, address, variants)).toBe(8);
  });
});

describe("the limit on page requests", () => {
  test("applies to a client across both processes", async () => {
    const { address } = new Client(url);
    await countRequests(databaseUrl, { limit: "page", caller: address, count: PAGES_A_MINUTE - 30 });
    // Redirects count as pages and need no rendering.
    expect(await refused(40, address, () => ({ path: "/login/" }))).toBe(10);
  });

  test("sends an HTML error page to browsers and JSON to programs", async () => {
    const client = new Client(url);
    await countRequests(databaseUrl, { limit: "page", caller: client.address, count: PAGES_A_MINUTE });
    await expectApiError(await client.fetch("/login"), 429, "rate_limited");
    const refusal = await client.fetch("/login", { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect([refusal.status, refusal.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refusal.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(await refusal.text()).toContain("Too many requests from your network");
    // A page that is already open can still send these requests.
    for (const path of ["/api/auth/session", "/favicon.svg", "/healthz", "/readyz"]) {
      const { status, body } = await client.fetch(path);
      await body?.cancel();
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test("allows 600 requests a minute for all pages together", async () => {
    const client = new Client(url);
    const requests: [string, RequestInit?][] = [
      ...PAGES.map(({ path }): [string] => [path]),
      ["/nothing-here.php"],
      ["/api/nothing-here"],
      ["/_next/nothing-here"],
      ["/webhook/login"],
      ["/login", { method: "HEAD" }],
      ["/login?_rsc=1", { headers: { RSC: "1" } }],
    ];
    for (const [index, [path, init]] of requests.entries()) {
      const { headers, body } = await client.fetch(path, init);
      await body?.cancel();
      const limits = [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")];
      expect([path, ...limits]).toEqual([path, String(PAGES_A_MINUTE), String(PAGES_A_MINUTE - 1 - index)]);
      expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThan(0);
    }
  });
});
