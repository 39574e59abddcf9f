import { describe, expect, test } from "vitest";
import { answerNewLogin } from "#e2e/support/account.ts";
import { ALL_ENDPOINTS, API_ENDPOINTS } from "#e2e/support/endpoints.ts";
import { BINDING_COOKIE, query, url } from "#e2e/support/test-apps.ts";
import { matchApiRoute } from "#lib/routes/api-routes.ts";
import { Client } from "#tools/kit/client.ts";
import { answerRegistration, readUserId, signInBrowser } from "#tools/kit/login.ts";

const EVIL = "https://evil.example";

function corsHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

/** Another origin may read only the URLs that wallets post to. */
function isWalletFacing(path: string): boolean {
  return matchApiRoute(path)?.cors ?? false;
}

describe("CORS", () => {
  test("allows preflight requests only for wallets' POST requests to the webhooks, and never with credentials", async () => {
    const anyone = new Client(url);
    const methods = ["GET", "POST", "DELETE"];
    for (const [index, path] of [...new Set(ALL_ENDPOINTS.map((address) => address.path))].entries()) {
      // Only paths with CORS depend on the method, so one method is enough for the other paths.
      for (const method of isWalletFacing(path) ? methods : methods.slice(index % 3, (index % 3) + 1)) {
        const headers = {
          Origin: EVIL,
          "Access-Control-Request-Method": method,
          "Access-Control-Request-Headers": "content-type, authorization",
        };
        const response = await anyone.fetch(path, { method: "OPTIONS", headers });
        await response.body?.cancel();
        const expected = {
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "POST",
          "access-control-allow-headers": "Content-Type",
          "access-control-max-age": "86400",
        };
        expect({ path, ...corsHeaders(response) }).toEqual({ path, ...(isWalletFacing(path) && expected) });
      }
    }
  });
});

/** Every change that needs no credentials other than a signed-in browser's cookies. */
const CHANGES = API_ENDPOINTS.filter(
  ({ method, path }) =>
    /^\/api\/(account\/|console\/|recovery$|svc\/sign-in$)/.test(path) && !["GET", "HEAD"].includes(method),
);

const { protocol, hostname, host } = new URL(url);
const HOSTILE_ORIGINS: [name: string, headers: Record<string, string>][] = [
  ["another site", { Origin: "https://evil.example" }],
  ["a sandboxed frame", { Origin: "null" }],
  ["another port of this host", { Origin: `${protocol}//${hostname}:1` }],
  ["this host with the other scheme", { Origin: `${protocol === "http:" ? "https:" : "http:"}//${host}` }],
  ["a subdomain of this host", { Origin: `${protocol}//x.${host}` }],
  ["a host whose name begins with this one's", { Origin: `${url}.evil.example` }],
  ["this origin with a path appended", { Origin: `${url}/` }],
  ["another site that withholds its origin", { "Sec-Fetch-Site": "cross-site" }],
  ["a sibling subdomain that withholds its origin", { "Sec-Fetch-Site": "same-site" }],
  ["a form on another site", { Origin: "https://evil.example", "Content-Type": "text/plain" }],
];

describe("a forged request from a signed-in browser", () => {
  test.each(HOSTILE_ORIGINS)(
    "is rejected with 403 at every endpoint that changes data: %s",
    async (_who, headers) => {
      const victim = await signInBrowser(url);
      expect(CHANGES.length).toBeGreaterThan(15);
      const outside = ["/api/recovery", "/api/svc/sign-in"];
      expect(CHANGES.map(({ path }) => path)).toEqual(expect.arrayContaining(outside));
      for (const { method, path } of CHANGES) {
        const response = await victim.browser.fetch(path, {
          method,
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify({
            name: "planted",
            domain: "planted.example",
            webhook_url: "https://planted.example/",
          }),
        });
        expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 403`);
        expect(corsHeaders(response)).toEqual({});
        expect((await response.json()).error.code).toBe("forbidden");
      }
      expect(await readUserId(victim.browser)).toBe(victim.userId);
      const [made] = await query<{ keys: number; domains: number }>(
        `SELECT (SELECT count(*) FROM api_key JOIN owner ON owner.id = owner_id WHERE user_id = $1)::int AS keys,
         (SELECT count(*) FROM domain JOIN owner ON owner.id = owner_id WHERE user_id = $1)::int AS domains`,
        [victim.userId],
      );
      expect(made).toEqual({ keys: 0, domains: 0 });
    },
  );

  test("cannot sign the browser in or out through NextAuth without a CSRF token", async () => {
    const victim = await signInBrowser(url);
    const pendingSid = await answerNewLogin(victim.wallet, victim.browser);
    const { browser, sid } = await answerRegistration(url);
    const form = { "Content-Type": "application/x-www-form-urlencoded", Origin: EVIL };
    for (const [who, path] of [
      [victim.browser, "/api/auth/signout"],
      [victim.browser, "/api/auth/session"],
      [browser, "/api/auth/callback/svc"],
      [browser, "/api/auth/signin/svc"],
    ] as const) {
      for (const csrfToken of ["", "x", "x|y", `${"0".repeat(64)}|${"0".repeat(64)}`]) {
        const body = new URLSearchParams({ csrfToken, sid, json: "true", callbackUrl: EVIL }).toString();
        const response = await who.fetch(path, { method: "POST", headers: form, body });
        expect(response.status).toBeLessThan(500);
        expect(response.headers.getSetCookie().join()).not.toContain(BINDING_COOKIE);
        await response.body?.cancel();
      }
    }
    expect(await readUserId(victim.browser)).toBe(victim.userId);
    expect(await readUserId(browser)).toBeNull();
    expect((await victim.browser.signIn("svc", pendingSid)).status).toBe(200);
  });

  test("cannot sign the browser in with HEAD or any other unsupported method", async () => {
    const { browser, sid } = await answerRegistration(url);
    for (const [method, path] of [
      ["HEAD", `/dashboard/enter?sid=${sid}`],
      ["HEAD", `/dashboard?sid=${sid}`],
      ["HEAD", "/api/auth/callback/svc"],
      ["GET", `/api/auth/callback/svc?sid=${sid}`],
      ["GET", "/api/auth/signout"],
    ] as const) {
      const response = await browser.fetch(path, { method });
      expect(response.headers.getSetCookie().join()).not.toContain("session-token");
      expect(response.status).toBeLessThan(500);
      await response.body?.cancel();
    }
    expect(await readUserId(browser)).toBeNull();
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });
});
