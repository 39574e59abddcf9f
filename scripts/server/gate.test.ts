import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { API_ROUTES } from "#lib/routes/api-routes.ts";
import type { GateSettings } from "#packages/login/gate/settings.ts";
import { parseRequestTarget } from "#packages/login/http/check-request.ts";
import { anyCharacter } from "#tools/kit/any-character.ts";
import { createGateSettings, passGate } from "./gate.ts";

const ROUTER_STATE = "next-router-state-tree";
const SETTINGS = createGateSettings(
  { APP_URL: new URL("http://localhost:3000"), SECURE: false, TRUSTED_PROXIES: 0 },
  false,
);

/** Returns the status, or null if the gate lets the request pass. */
function pass(
  method: string,
  url: string,
  settings: Partial<GateSettings> = {},
  headers: Record<string, string> = {},
) {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url, httpVersion: "1.1" });
  Object.assign(request.headers, { host: "localhost", ...headers });
  const response = new ServerResponse(request);
  const isAnswered = passGate(request, response, { ...SETTINGS, ...settings });
  return { status: isAnswered ? response.statusCode : null, response, request };
}

const hostileUrl = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "//", "\\", "..", ".", "%", "%00", "%2e", "%2f", "%ED%A0%80"),
      fc.constantFrom("?", "&", "=", "#", "@"),
      fc.constantFrom("api", "svc", "qr", "webhook", "login", "v1", "account", "sessions", "http://"),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    ),
  )
  .chain((parts) => fc.constantFrom(parts.join(""), `/${parts.join("")}`));

describe("the gate", () => {
  test("never throws, and always returns a status below 500", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom("GET", "POST", "TRACE", "OPTIONS"), fc.string()),
        hostileUrl,
        (method, url) => {
          const { status } = pass(method, url);
          if (status !== null) expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("refuses a request target that parsers interpret in different ways", () => {
    fc.assert(
      fc.property(hostileUrl, (url) => {
        if (pass("GET", url).status !== null) return;
        const parsedUrl = new URL(url, "http://localhost");
        expect(parsedUrl.host).toBe("localhost");
        // A question mark at the end does not begin a query.
        expect(parsedUrl.pathname + parsedUrl.search).toBe(url.replace(/^([^?]*)\?$/, "$1"));
        expect(() => decodeURIComponent(url)).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });

  test("returns 405 with Allow for a method that an API path does not support", () => {
    for (const { path, methods } of API_ROUTES) {
      const url = path.replaceAll(/:\w+/g, "x");
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
        const expected = methods.some((allowed) => allowed === method) ? null : 405;
        const { status, response } = pass(method, url);
        expect([path, method, status]).toEqual([path, method, expected]);
        if (expected) expect(response.getHeader("allow")).toBe(methods.join(", "));
      }
      const { status, response } = pass("OPTIONS", url);
      expect([path, status, response.getHeader("allow")]).toEqual([
        path,
        204,
        `${methods.join(", ")}, OPTIONS`,
      ]);
    }
  });

  test("accepts a request target in absolute form only if it names this host", () => {
    const { status, request } = pass("GET", "http://localhost:3000/login?a=b", {}, { host: "proxy.example" });
    expect([status, request.url, request.headers.host]).toEqual([null, "/login?a=b", "localhost:3000"]);
    expect(pass("POST", "HTTP://LOCALHOST:3000/webhook/login").status).toBeNull();
    for (const host of [
      "evil.example",
      "localhost:3001",
      "localhost:3000@evil.example",
      "",
      "evil.example:3000",
    ]) {
      expect([host, pass("GET", `http://${host}/login`, {}, { host: "evil.example" }).status]).toEqual([
        host,
        400,
      ]);
    }
  });

  test("sends Strict-Transport-Security only over HTTPS", () => {
    const name = "strict-transport-security";
    expect(pass("GET", "/login", { secure: true }).response.getHeader(name)).toMatch(/^max-age=\d{7,}/);
    expect(pass("GET", "/login").response.getHeader(name)).toBeUndefined();
  });

  test("gives each page's scripts a different nonce and allows no scripts in the API's responses", () => {
    const policies = ["/login", "/login", "/api/svc/qr"].map((url) =>
      String(pass("GET", url).response.getHeader("content-security-policy")),
    );
    const [first, second, api] = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1]);
    expect(first).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(second).not.toBe(first);
    expect(api).toBeUndefined();
    expect(policies[2]).toContain("default-src 'none'");
    expect(policies[0]).not.toContain("unsafe-eval");
  });

  test("neither forwards nor returns an IP address, host or id that the client chose", () => {
    const forwarded = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
    const claims = ["x-request-id", "x-client-address", ...forwarded];
    const requestHeaders = Object.fromEntries([...claims, "host"].map((name) => [name, "claimed"]));
    const { request, response } = pass("GET", "/", {}, requestHeaders);
    for (const name of claims) expect(request.headers[name]).not.toBe("claimed");
    expect(response.getHeader("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a page that is opened under a different loopback host name", () => {
  const visit = { host: "127.0.0.1:3000", accept: "text/html,*/*;q=0.8" };

  test("is redirected to the application's origin, where its codes work", () => {
    const { status, response } = pass("GET", "/login?callbackUrl=%2Fconsole", {}, visit);
    expect(status).toBe(307);
    expect(response.getHeader("location")).toBe("http://localhost:3000/login?callbackUrl=%2Fconsole");
  });

  test("is not redirected for a program, nor behind a proxy", () => {
    expect(pass("GET", "/login", {}, { ...visit, accept: "*/*" }).status).toBeNull();
    const behindProxy = { origin: new URL("https://login.example.com"), secure: true };
    expect(pass("GET", "/login", behindProxy, visit).status).toBeNull();
  });
});

describe("a request that reaches the framework", () => {
  const headersOf = (url: string, headers: Record<string, string>) =>
    pass("GET", url, {}, headers).request.headers;

  test("contains only the login's own cookies", () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `${index}=1`).join("; ");
    expect(headersOf("/dashboard", { cookie: `${many}; svc-browser=x` }).cookie).toBe("svc-browser=x");
    expect(headersOf("/dashboard", { cookie: many }).cookie).toBeUndefined();
  });

  test("has its User-Agent truncated to 200 characters", () => {
    expect(headersOf("/login", { "user-agent": "x".repeat(15_000) })["user-agent"]).toBe("x".repeat(200));
  });

  test("does not contain conditional headers that could make a file request fail", () => {
    const conditions = {
      range: "bytes=9-",
      "if-range": '"x"',
      "if-match": '"x"',
      "if-unmodified-since": "x",
    };
    const headers = headersOf("/favicon.svg", { ...conditions, "if-none-match": '"x"' });
    for (const name of Object.keys(conditions)) expect(headers[name]).toBeUndefined();
    expect(headers["if-none-match"]).toBe('"x"');
  });

  const nested = (depth: number): unknown => ["", depth === 0 ? {} : { children: nested(depth - 1) }];
  const wide = (count: number) => ["", Object.fromEntries(Array(count).fill(["", {}]).entries())];

  test.each([
    [null, "a page", '["",{"children":["login",{}]}]'],
    [null, "an encoded state", encodeURIComponent('["",{"children":["login",{}]}]')],
    [null, "a state with 20 levels", JSON.stringify(nested(20))],
    [null, "a state with 20 parts", JSON.stringify(wide(20))],
    [400, "bad percent-encoding", "%%%"],
    [400, "nothing", ""],
    [400, "JSON of another shape", '{"children":["login",{}]}'],
    [400, "a state with 1,000 levels", JSON.stringify(nested(1_000))],
    [400, "a state with 900 parts", JSON.stringify(wide(900))],
    [400, "an encoded state with 900 parts", encodeURIComponent(JSON.stringify(wide(900)))],
    [400, "8,000 arrays", "[".repeat(8_000) + "]".repeat(8_000)],
  ])("contains only a small, well-formed router state: status %s for %s", (status, _what, state) => {
    expect(pass("GET", "/login", {}, { rsc: "1", [ROUTER_STATE]: state }).status).toBe(status);
  });

  test("does not contain the router's state unless the framework's router needs it", () => {
    expect(headersOf("/login", { [ROUTER_STATE]: "%%%" })[ROUTER_STATE]).toBeUndefined();
    expect(headersOf("/api/svc/qr", { rsc: "1", [ROUTER_STATE]: "%%%" })[ROUTER_STATE]).toBeUndefined();
  });
});

describe("a refused request", () => {
  const refusal = (url: string, headers: Record<string, string> = {}) =>
    String(pass("GET", url, {}, headers).response.getHeader("content-type"));
  const browser = { accept: "text/html,application/xhtml+xml" };
  const long = `?${"a".repeat(5_000)}`;

  test.each([
    ["/v1/sessions", browser, "application/json"],
    ["/api/%73vc/qr", browser, "application/json"],
    ["/api/fastauth", browser, "text/plain; charset=utf-8"],
    ["/api/%66astauth", {}, "text/plain; charset=utf-8"],
    ["/login", {}, "application/json"],
    ["/login", browser, "text/html; charset=utf-8"],
  ])("gets a response in a format that suits its URL and its client: %s", (path, headers, type) => {
    expect(refusal(path + long, headers)).toBe(type);
  });
});

test("decodes a request target only once", () => {
  const [pathname, search] = ["/a%2525b", "?c=%2541"];
  expect(parseRequestTarget(pathname + search)).toEqual({ pathname, decodedPathname: "/a%25b", search });
  expect(parseRequestTarget("/a?b?c")?.search).toBe("?b?c");
});
