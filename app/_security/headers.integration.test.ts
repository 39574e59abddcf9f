import { beforeAll, describe, expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { ALL_ENDPOINTS, type Endpoint, PAGES } from "#e2e/support/endpoints.ts";
import { exchangeRaw, formatRawRequest } from "#e2e/support/raw-http.ts";
import { expectSafeAnswer, findHeaderFaults, nonceOf } from "#e2e/support/security-headers.ts";
import { databaseUrl, requestSharedApp, url } from "#e2e/support/test-apps.ts";
import { isApiPath, matchApiRoute } from "#lib/routes/api-routes.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { answerRegistration } from "#tools/kit/login.ts";
import { countRequests } from "#tools/kit/sql.ts";

const { url: httpsUrl } = await requestSharedApp("https");
const nonces: string[] = [];
/** The responses that have CORS headers. */
const sharing: (Endpoint & { headers: Record<string, string> })[] = [];
let keys: Record<"/v1" | "/sandbox/v1", string>;

beforeAll(async () => {
  const [live, sandbox] = await Promise.all([
    newCustomer(url, databaseUrl, { mode: "live" }),
    newCustomer(url, databaseUrl),
  ]);
  keys = { "/v1": live.key, "/sandbox/v1": sandbox.key };
});

const schemes = [
  { scheme: "http", secure: false, at: () => url, origin: () => url },
  { scheme: "https", secure: true, at: () => httpsUrl, origin: () => "https://login.example.com" },
];

async function expectSafe(request: string, response: Response, secure: boolean): Promise<void> {
  const { status, headers } = response;
  const where = `${request} → ${status}`;
  expect(status, where).toBeLessThan(500);
  const body = request.startsWith("HEAD") ? "" : await response.text();
  expectSafeAnswer(where, { status, headers, body, secure });
  nonces.push(...[nonceOf(headers)].filter((nonce) => nonce !== null));
}

async function walk(
  browser: Client,
  addresses: readonly Endpoint[],
  secure: boolean,
  headers: Record<string, string>,
) {
  for (const { method, path } of addresses) {
    const response = await browser.fetch(path, { method, headers: { ...headers, ...authorization(path) } });
    const corsHeaders = [...response.headers].filter(([name]) => name.startsWith("access-control-"));
    sharing.push({ method, path, headers: Object.fromEntries(corsHeaders) });
    await expectSafe(`${method} ${path}`, response, secure);
  }
}

function authorization(path: string): Record<string, string> {
  const base = (["/v1", "/sandbox/v1"] as const).find((prefix) => path.startsWith(`${prefix}/`));
  return base ? { Authorization: `Bearer ${keys[base]}` } : {};
}

describe.each(schemes)("the application over $scheme", ({ secure, at, origin }) => {
  test("sends every security header with every page, handler response and file", async () => {
    // Pages are requested over HTTPS only in the next test, because HTTPS adds the same headers to every response.
    const addresses = secure ? ALL_ENDPOINTS.filter((address) => !PAGES.includes(address)) : ALL_ENDPOINTS;
    await walk(new Client(at()), addresses, secure, { Origin: "https://evil.example" });
  });

  test("sends every security header to a signed-in user and to a client with an API key", async () => {
    const { browser, sid } = await answerRegistration(at());
    const signIn = await expectStatus(await browser.signIn("svc", sid));
    await expectSafe("signing in", signIn, secure);
    const lasting = (secure ? PAGES : ALL_ENDPOINTS).filter(
      ({ method, path }) =>
        !(method === "DELETE" && ["/api/account", "/api/account/sessions"].includes(path)),
    );
    await walk(browser, lasting, secure, { Origin: origin() });
    const dashboard = await browser.fetch("/dashboard");
    expect(dashboard.status, "still signed in, so what was walked was the signed-in user's").toBe(200);
    await dashboard.body?.cancel();
  });

  test("sends every security header even if the request could not be parsed", async () => {
    for (const bytes of [
      "no HTTP at all\r\n\r\n",
      formatRawRequest("GET / HTTP/1.1", { "X-Long": "x".repeat(20_000) }),
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
    ]) {
      const { status, headers, body } = await exchangeRaw(at(), bytes);
      expect(status).toBeGreaterThanOrEqual(400);
      const facts = { status: status ?? 0, headers: new Headers([...headers]), body, secure };
      expectSafeAnswer(`${status} to ${bytes.slice(0, 30)}`, facts);
    }
  });

  test("sends every security header with a 429", async () => {
    const flood = new Client(at());
    await countRequests(databaseUrl, { limit: "fastauth", caller: flood.address, count: 120 });
    const refusal = await flood.fetch("/api/fastauth?sid=x&c=y");
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await refusal.clone().text()).toMatch(/^Error: /);
    await expectSafe("429", refusal, secure);
  });
});

// Runs only over HTTP, because the two tests above show what HTTPS adds.
test("sends every security header with errors, preflights and the framework's own responses", async () => {
  const anyone = new Client(url);
  const all = (addresses: readonly Endpoint[], init: RequestInit) =>
    addresses.map(({ path }): [string, RequestInit] => [path, init]);
  const post = (body: string, headers = {}) => ({ method: "POST", body, headers });
  const odd: [string, RequestInit][] = [
    ...all(
      ALL_ENDPOINTS.filter(({ method }) => method === "GET"),
      { method: "PUT" },
    ),
    ...all(
      ALL_ENDPOINTS.filter(({ path }) => isApiPath(path)),
      { method: "OPTIONS" },
    ),
    ...all(PAGES, { headers: { RSC: "1" } }),
    ...all(PAGES, { method: "POST", headers: { "Next-Action": "x" } }),
    ...["/nothing/here", "/api/nothing", "/api/svc/nothing", "/v1/nothing", "/api/fastauth/nothing"].map(
      (path): [string, RequestInit] => [path, {}],
    ),
    ...["/login/", "/login//x", "/%E0%A4%A", "/_next/image?url=%2Fwallet-icon-512.png&w=64&q=75"].map(
      (path): [string, RequestInit] => [path, {}],
    ),
    ["/webhook/login", post("x".repeat(70_000))],
    ["/webhook/login", post("{}", { "Content-Type": "text/plain" })],
    ["/api/auth/callback/svc", post("x".repeat(70_000))],
    ["/webhook/events", post("{}")],
  ];
  for (const [path, init] of odd) {
    await expectSafe(`${init.method ?? "GET"} ${path}`, await anyone.fetch(path, init), false);
  }
});

test("detects missing and incorrect headers in an unprotected response", () => {
  const headers = new Headers({
    "Content-Type": "text/html",
    Server: "x",
    "Content-Security-Policy":
      "default-src 'self'; script-src 'self' 'unsafe-inline' 'nonce-AAAAAAAAAAAAAAAAAAAAAA=='",
    "Set-Cookie": "next-auth.session-token=x; Path=/; Domain=example.com",
  });
  const body = '<script>1</script><img src="x" onerror="1"><a href="javascript:1">';
  const faults = findHeaderFaults({ status: 200, headers, body, secure: true }).join("\n");
  const routesToCheck =
    `x-request-id x-content-type-options x-frame-options referrer-policy opener-policy resource-policy
    permissions-policy strict-transport-security cache-control unsafe-inline frame-ancestors object-src base-uri
    form-action HttpOnly SameSite Domain Secure __Host- onerror javascript:`.split(/\s+/);
  for (const fault of [...routesToCheck, "server is told", "markup: <script>"]) {
    expect(faults).toContain(fault);
  }
});

test("lets other origins read only the responses to wallets' POST requests, never with credentials", () => {
  // At these paths, a GET is also a wallet's request, so it never returns a page.
  const hasNoPage = (path: string) => path === "/api/fastauth" || path.startsWith("/webhook/sessions/");
  expect(sharing.length).toBeGreaterThan(ALL_ENDPOINTS.length * 2);
  for (const { method, path, headers } of sharing) {
    const open = matchApiRoute(path)?.cors && (method === "POST" || hasNoPage(path));
    const expected = open ? { "access-control-allow-origin": "*" } : {};
    expect({ method, path, headers }).toEqual({ method, path, headers: expected });
  }
});

test("uses a different nonce in every response", () => {
  expect(nonces.length).toBeGreaterThan(PAGES.length * 4);
  expect(new Set(nonces).size).toBe(nonces.length);
});

test("disables the framework's image endpoint", async () => {
  const inside = ["/wallet-icon-512.png", "/api/svc/qr", "/dashboard/enter?sid=x"];
  for (const path of [...inside, "https://evil.example/x.png"]) {
    const response = await new Client(url).fetch(`/_next/image?url=${encodeURIComponent(path)}&w=64&q=75`);
    expect(response.status).toBe(404);
  }
});
