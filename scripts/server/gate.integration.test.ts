import { describe, expect, test } from "vitest";
import { expectApiError, expectRawError } from "#e2e/support/api-error.ts";
import { exchangeRaw, formatRawRequest } from "#e2e/support/raw-http.ts";
import { url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";

test.each([
  "/healthz",
  "/api/svc/qr",
  "/api/svc/check?sid=x",
  "/api/auth/csrf",
  "/api/getqrcode",
  "/webhook/login",
  "/webhook/sessions/x",
  "/v1/sessions",
  "/sandbox/v1/sessions",
])("answers a request with its route file, without the framework's router: %s", async (path) => {
  const { headers } = await new Client(url).fetch(path, { headers: { Accept: "application/json" } });
  // Next.js's router would add `Vary`, and would send the response without its length.
  expect(headers.get("vary")).toBeNull();
  expect(headers.get("content-length")).toMatch(/^[1-9][0-9]*$/);
});

describe("an unknown path below the API's prefixes", () => {
  test.each([
    "/api/svc",
    "/api/svc/",
    "/api/svc/qr/",
    "/api/svc//qr",
    "/api/svc/%71r",
    "/%61pi/svc/qr",
    "/api%2Fsvc/qr",
    "/api/account/",
    "/webhook",
    "/webhook/login/x",
    "/webhook/sessions",
    "/webhook/sessions/x/y",
    "/webhook/%6Cogin",
    "/v1",
    "/v1/%F0%9F%99%82",
  ])("gets 404: %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      await expectApiError(await new Client(url).fetch(path, { method }), 404, "not_found");
    }
  });
});

describe("a method that the path does not support", () => {
  test.each(["TRACE", "PROPFIND", "PURGE", "M-SEARCH", "LINK", "QUERY"])(
    "gets 405 even if it is one that HTTP client libraries never send: %s",
    async (method) => {
      const answer = await exchangeRaw(url, formatRawRequest(`${method} /api/svc/qr HTTP/1.1`));
      expectRawError(answer, 405, "method_not_allowed");
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    },
  );

  test.each(["GET", "HEAD", "PUT"])("gets 405 on NextAuth's callback: %s", async (method) => {
    const { status, headers } = await new Client(url).fetch("/api/auth/callback/svc", { method });
    expect([status, headers.get("allow")]).toEqual([405, expect.not.stringContaining(method)]);
  });
});

// Targets that parsers read differently are tested in gate.test.ts.
describe("an invalid request over a raw socket", () => {
  test.each([
    ["NUL in the path", "GET /api/svc/%00 HTTP/1.1"],
    ["NUL in the query", "GET /api/svc/check?sid=%00 HTTP/1.1"],
    ["NUL in a query's name", "GET /api/svc/check?%00=1&sid=x HTTP/1.1"],
    ["NUL in a page's path", "GET /login%00 HTTP/1.1"],
    ["an encoded backslash", "GET /api/svc/%5Cqr HTTP/1.1"],
    ["the asterisk form", "OPTIONS * HTTP/1.1"],
    ["a raw byte above ASCII", "GET /api/svc/\xff HTTP/1.1"],
    ["CONNECT to a path", "CONNECT /api/svc/qr HTTP/1.1"],
    ["a method that does not exist", "FOO /api/svc/qr HTTP/1.1"],
    ["a lower-case method", "get /api/svc/qr HTTP/1.1"],
    ["a version that does not exist", "GET /api/svc/qr HTTP/9.9"],
    ["no version", "GET /api/svc/qr extra"],
  ])("gets 400: %s", async (_name, line) => {
    expectRawError(await exchangeRaw(url, Buffer.from(formatRawRequest(line), "latin1")), 400);
  });

  test.each<[string, Record<string, string>, string]>([
    ["both lengths", { "Content-Length": "5", "Transfer-Encoding": "chunked" }, "0\r\n\r\nG"],
    ["two lengths", { "Content-Length": "1, 2" }, "xx"],
    ["a negative length", { "Content-Length": "-1" }, ""],
    ["a hexadecimal length", { "Content-Length": "0x2" }, "{}"],
    ["an unknown transfer encoding", { "Transfer-Encoding": "xchunked" }, "0\r\n\r\n"],
    ["chunked transfer encoding twice", { "Transfer-Encoding": "chunked, chunked" }, "0\r\n\r\n"],
    ["a space before the colon", { "Content-Length ": "2" }, "{}"],
    [
      "a malformed chunk size",
      { "Transfer-Encoding": "chunked", "Content-Type": "application/json" },
      "zz\r\n{}\r\n0\r\n\r\n",
    ],
    ["a folded header line", { "X-A": "b\r\n c: d" }, ""],
  ])("gets 400 for request smuggling: %s", async (_name, headers, body) => {
    const smuggled = `${body}${formatRawRequest("GET /healthz HTTP/1.1")}`;
    const answer = await exchangeRaw(
      url,
      formatRawRequest("POST /webhook/login HTTP/1.1", { ...headers, Connection: "keep-alive" }, smuggled),
    );
    expect(answer.status).toBe(400);
    // The second request must not be parsed as a separate one.
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer.text).not.toContain('"ok"');
  });
});

test("returns 431 for headers that are too large and 414 for a target that is too long", async () => {
  for (const bytes of [17_000, 40_000, 200_000]) {
    const headers = { "X-Large": "x".repeat(bytes) };
    const large = await exchangeRaw(url, formatRawRequest("GET /v1/sessions HTTP/1.1", headers));
    expectRawError(large, 431, "headers_too_large");
    const line = `GET /v1/sessions?${"a".repeat(bytes)} HTTP/1.1`;
    expectRawError(await exchangeRaw(url, formatRawRequest(line)), 414, "uri_too_long");
  }
});

describe("a request that the framework would answer with 500", () => {
  test.each([
    "/_global-error",
    "/_global-error/",
    "/%5Fglobal-error",
    "/_error",
    "/__nextjs_font/x",
    "/_not-found",
    "/_app",
    "/404",
    "/500",
  ])("gets an ordinary 404: %s", async (path) => {
    const response = await new Client(url).fetch(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await response.text()).toContain("Page not found");
  });
});

describe("an unusual but valid request", () => {
  test.each<[string, Record<string, string>]>([
    [
      "with an upgrade to h2c, which some HTTP clients send with every request",
      { Connection: "Upgrade, HTTP2-Settings, close", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" },
    ],
    [
      "with an upgrade to a web socket",
      {
        Connection: "Upgrade, close",
        Upgrade: "websocket",
        "Sec-WebSocket-Key": "eA==",
        "Sec-WebSocket-Version": "13",
      },
    ],
    ["with an unknown expectation", { Expect: "the unexpected" }],
    ["with a malformed Host", { Host: "a b%%%:x" }],
    [
      "with a claim to come from the framework's router",
      { RSC: "1", "Next-Router-State-Tree": "%%%", "Next-Action": "x" },
    ],
    ["with cookies that cannot be decoded", { Cookie: "svc-browser=%E0%A4%A; =; ;;a" }],
  ])("is answered normally: %s", async (_name, headers) => {
    const answer = await exchangeRaw(url, formatRawRequest("GET /api/svc/check?sid=x HTTP/1.1", headers));
    expect(`${answer.status} ${answer.body}`).toMatch(/^404 .*"session_not_found"/s);
  });

  test("is refused nevertheless if it has two Host headers", async () => {
    const request =
      "GET /api/svc/qr HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n";
    expectRawError(await exchangeRaw(url, request), 400, "invalid_request");
  });

  test.each<[number, string, RequestInit]>([
    [413, "/webhook/events", { method: "POST", body: "x".repeat(70_000) }],
    [405, "/webhook/events", { method: "PUT" }],
    [404, "/webhook/events/more", { method: "POST" }],
  ])(
    "gets %i from the event receiver in the same format as its other errors: %s",
    async (status, path, init) => {
      const response = await new Client(url).fetch(path, init);
      expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }]);
    },
  );

  test("is answered if its target is in absolute form", async () => {
    const methodsNamed = (path: string) =>
      exchangeRaw(url, formatRawRequest(`GET ${url}${path} HTTP/1.1`, { Host: "proxy" }));
    expect((await methodsNamed("/api/svc/check?sid=x")).status).toBe(404);
    expect((await methodsNamed("/login")).status).toBe(200);
    expectRawError(await exchangeRaw(url, formatRawRequest("GET http://evil.example/login HTTP/1.1")), 400);
  });

  test("is answered if it is HTTP/1.0 without a Host", async () => {
    expect((await exchangeRaw(url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
  });
});

test.each([
  ["Range", "bytes=99999999-"],
  ["Range", "bytes=x"],
  ["If-Match", '"x"'],
  ["If-Unmodified-Since", "Mon, 01 Jan 1990 00:00:00 GMT"],
])("sends the whole file despite a conditional header: %s: %s", async (name, value) => {
  const response = await new Client(url).fetch("/favicon.svg", { headers: { [name]: value } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("</svg>");
});

describe("a request whose body is refused before its end", () => {
  const next = formatRawRequest("GET /healthz HTTP/1.1");
  const type = { "Content-Type": "application/json", Connection: "keep-alive" };
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  test("has its connection closed if the framework reads the body", async () => {
    const chunks = `4000\r\n${"x".repeat(0x4000)}\r\n`.repeat(20);
    const headers = { ...type, "Transfer-Encoding": "chunked" };
    const request = formatRawRequest(
      "POST /api/conformance/run/words HTTP/1.1",
      headers,
      `${chunks}0\r\n\r\n${next}`,
    );
    expect(statuses((await exchangeRaw(url, request)).text)).toEqual(["413"]);
  });

  test("is read to the end if a route reads the body, so the client receives the response", async () => {
    const body = "x".repeat(10_000_000);
    const headers = { ...type, "Content-Length": String(body.length) };
    const request = formatRawRequest("POST /webhook/login HTTP/1.1", headers, body + next);
    expect(statuses((await exchangeRaw(url, request)).text)).toEqual(["413", "200"]);
  });
});

test("closes connections whose headers or bodies stall", {
  timeout: 40_000,
}, async () => {
  const type = { "Content-Type": "application/json" };
  const stalled = (line: string, headers: Record<string, string>, body = "") =>
    exchangeRaw(url, formatRawRequest(line, headers, body));
  const [headers, silence, body, chunked, form] = await Promise.all([
    exchangeRaw(url, "GET /api/svc/qr HTTP/1.1\r\nHost: localhost\r\n"),
    exchangeRaw(url, ""),
    stalled(
      "POST /webhook/login HTTP/1.1",
      { ...type, "Content-Length": "100", Connection: "keep-alive" },
      "{",
    ),
    stalled("POST /webhook/register HTTP/1.1", { ...type, "Transfer-Encoding": "chunked" }, "1\r\n{\r\n"),
    stalled("POST /api/auth/callback/svc HTTP/1.1", { ...type, "Content-Length": "100" }, "{"),
  ]);
  expectRawError(headers, 408);
  expect([408, null]).toContain(silence.status);
  for (const answer of [body, chunked, form]) {
    expectRawError(answer, 400);
    expect(answer.body).toContain("did not arrive");
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  }
});
