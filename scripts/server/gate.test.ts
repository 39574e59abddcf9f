import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTarget } from "#lib/login/http/check-request.ts";
import { type GateSettings, passGate } from "./gate.ts";

const SETTINGS: GateSettings = { secure: false, trustedProxies: 0, development: false };

/** Sends a request through the gate; the answer's status, or null when it is let through. */
function pass(
  method: string,
  url: string,
  settings: Partial<GateSettings> = {},
  headers: Record<string, string> = {},
) {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url, httpVersion: "1.1" });
  Object.assign(request.headers, { host: "localhost", ...headers });
  const response = new ServerResponse(request);
  const answered = passGate(request, response, { ...SETTINGS, ...settings });
  return { status: answered ? response.statusCode : null, response, request };
}

const hostileUrl = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "//", "\\", "..", ".", "%", "%00", "%2e", "%2f", "%ED%A0%80"),
      fc.constantFrom("?", "&", "=", "#", "@"),
      fc.constantFrom("api", "svc", "qr", "webhook", "login", "v1", "account", "sessions", "http://"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("the gate", () => {
  test("never throws, and answers below 500", () => {
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

  test("lets nothing through whose target no parser could read the same way", () => {
    fc.assert(
      fc.property(hostileUrl, (url) => {
        if (pass("GET", url).status !== null) return;
        const parsed = new URL(url, "http://localhost");
        expect(parsed.host).toBe("localhost");
        // A question mark with nothing behind it is no query.
        expect(parsed.pathname + parsed.search).toBe(url.replace(/^([^?]*)\?$/, "$1"));
        expect(() => decodeURIComponent(parsed.pathname)).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });

  test("insists on https from then on, over https alone", () => {
    const name = "strict-transport-security";
    expect(pass("GET", "/login", { secure: true }).response.getHeader(name)).toMatch(/^max-age=\d{7,}/);
    expect(pass("GET", "/login").response.getHeader(name)).toBeUndefined();
  });

  test("gives each page's scripts a nonce of its own, and the API no scripts at all", () => {
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

  test("hands on no address, host or id of the client's own making", () => {
    const forwarded = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
    const claims = ["x-request-id", "x-client-address", ...forwarded];
    const sent = Object.fromEntries([...claims, "host"].map((name) => [name, "claimed"]));
    const { headers } = pass("GET", "/", {}, sent).request;
    for (const name of claims) expect(headers[name]).not.toBe("claimed");
  });
});

describe("what reaches the framework", () => {
  const headersOf = (url: string, headers: Record<string, string>) =>
    pass("GET", url, {}, headers).request.headers;

  test("is none but our own cookies", () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `${index}=1`).join("; ");
    expect(headersOf("/dashboard", { cookie: `${many}; svc-browser=x` }).cookie).toBe("svc-browser=x");
    expect(headersOf("/dashboard", { cookie: many }).cookie).toBeUndefined();
  });

  test("is no longer User-Agent than a browser's", () => {
    expect(headersOf("/login", { "user-agent": "x".repeat(15_000) })["user-agent"]).toBe("x".repeat(512));
  });

  test("is no condition that a file may fail", () => {
    const conditions = {
      range: "bytes=9-",
      "if-range": '"x"',
      "if-match": '"x"',
      "if-unmodified-since": "x",
    };
    const sent = headersOf("/favicon.svg", { ...conditions, "if-none-match": '"x"' });
    for (const name of Object.keys(conditions)) expect(sent[name]).toBeUndefined();
    expect(sent["if-none-match"]).toBe('"x"');
  });

  test("says of the framework's router only what it can read", () => {
    const name = "next-router-state-tree";
    const tree = '["",{"children":["login",{}]}]';
    const status = (headers: Record<string, string>) => pass("GET", "/login", {}, headers).status;
    expect(status({ rsc: "1" })).toBe(null);
    expect(status({ rsc: "1", [name]: tree })).toBe(null);
    expect(status({ rsc: "1", [name]: "%%%" })).toBe(400);
    expect(status({ rsc: "1", [name]: "" })).toBe(400);
    expect(headersOf("/login", { [name]: "%%%" })[name]).toBeUndefined();
    expect(headersOf("/api/svc/qr", { rsc: "1", [name]: "%%%" })[name]).toBeUndefined();
  });

  test.each(["/_global-error", "/_global-error/", "/%5Fglobal-error", "/_error", "/_x", "/__nextjs_font/x"])(
    "is nothing under a name that the framework keeps for itself: %s",
    (url) => {
      expect(pass("GET", url).request.url).toBe("/_not-found");
      expect(pass("GET", "/_next/static/x.js").request.url).toBe("/_next/static/x.js");
    },
  );
});

describe("a refusal", () => {
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
  ])("of %s has the form of its address and its reader", (path, headers, type) => {
    expect(refusal(path + long, headers)).toBe(type);
  });
});

test("a request's target is decoded once", () => {
  const [pathname, search] = ["/a%2525b", "?c=%2541"];
  expect(readTarget(pathname + search)).toEqual({ pathname, decodedPathname: "/a%25b", search });
  expect(readTarget("/a?b?c")?.search).toBe("?b?c");
});
