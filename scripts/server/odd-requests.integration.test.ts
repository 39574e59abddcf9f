import { describe, expect, test } from "vitest";
import { expectRawError } from "#e2e/support/api-error.ts";
import { rawExchange, rawRequest } from "#e2e/support/raw-http.ts";
import { url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";

describe("a request that is odd and yet one", () => {
  test.each<[string, Record<string, string>]>([
    [
      "asks for h2c, as some HTTP clients do with every request",
      { Connection: "Upgrade, HTTP2-Settings, close", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" },
    ],
    [
      "asks for a web socket",
      {
        Connection: "Upgrade, close",
        Upgrade: "websocket",
        "Sec-WebSocket-Key": "eA==",
        "Sec-WebSocket-Version": "13",
      },
    ],
    ["expects what nobody knows", { Expect: "the unexpected" }],
    ["has a Host that is none", { Host: "a b%%%:x" }],
    [
      "says that it is the framework's router",
      { RSC: "1", "Next-Router-State-Tree": "%%%", "Next-Action": "x" },
    ],
    ["carries cookies that cannot be decoded", { Cookie: "svc-browser=%E0%A4%A; =; ;;a" }],
  ])("%s: answered as ever", async (_name, headers) => {
    const answer = await rawExchange(url, rawRequest("GET /api/svc/check?sid=x HTTP/1.1", headers));
    expect(`${answer.status} ${answer.body}`).toMatch(/^404 .*"session_not_found"/s);
  });

  test("two Host headers are refused: a proxy in front may have read the other", async () => {
    const request =
      "GET /api/svc/qr HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n";
    expectRawError(await rawExchange(url, request), 400, "invalid_request");
  });

  test.each<[number, string, RequestInit]>([
    [413, "/webhook/events", { method: "POST", body: "x".repeat(70_000) }],
    [405, "/webhook/events", { method: "PUT" }],
    [404, "/webhook/events/more", { method: "POST" }],
  ])("%i at the receiver of events is written as its other errors are: %s", async (status, path, init) => {
    const response = await new Client(url).fetch(path, init);
    expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }]);
  });

  test("HTTP/1.0 without a Host is answered", async () => {
    expect((await rawExchange(url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
  });
});

test("gives every answer an id that no client chooses", async () => {
  const headers = { "X-Request-Id": "chosen" };
  for (const path of [
    "/api/svc/check?sid=x",
    "/api/svc/x",
    "/healthz",
    "/readyz",
    "/login",
    "/api/auth/csrf",
    "/nowhere",
  ]) {
    const response = await new Client(url).fetch(path, { headers });
    expect(`${path} ${response.headers.get("x-request-id")}`).toMatch(/ [0-9a-f-]{36}$/);
    await response.body?.cancel();
  }
});

describe("a body refused half-way", () => {
  const next = rawRequest("GET /healthz HTTP/1.1");
  const type = { "Content-Type": "application/json", Connection: "keep-alive" };
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  const inChunks = (path: string) => {
    const chunks = `4000\r\n${"x".repeat(0x4000)}\r\n`.repeat(20);
    const headers = { ...type, "Transfer-Encoding": "chunked" };
    return rawRequest(`POST ${path} HTTP/1.1`, headers, `${chunks}0\r\n\r\n${next}`);
  };

  test.each(["/webhook/login", "/webhook/register"])(
    "holds up no request after it on its connection: %s",
    async (path) => {
      expect(statuses((await rawExchange(url, inChunks(path))).text)).toEqual(["413", "200"]);
    },
  );

  test("closes the connection where the framework reads, and answers once", async () => {
    expect(statuses((await rawExchange(url, inChunks("/webhook/events"))).text)).toEqual(["413"]);
  });

  test("is read to its end, so that a client that is still sending sees its answer", async () => {
    const body = "x".repeat(10_000_000);
    const headers = { ...type, "Content-Length": String(body.length) };
    const request = rawRequest("POST /webhook/login HTTP/1.1", headers, body + next);
    expect(statuses((await rawExchange(url, request)).text)).toEqual(["413", "200"]);
  });
});

test("whatever stalls comes to an end: headers, a body, a body sent byte by byte", {
  timeout: 40_000,
}, async () => {
  const type = { "Content-Type": "application/json" };
  const stalled = (line: string, headers: Record<string, string>, body = "") =>
    rawExchange(url, rawRequest(line, headers, body));
  const [headers, silence, body, chunked, form] = await Promise.all([
    rawExchange(url, "GET /api/svc/qr HTTP/1.1\r\nHost: localhost\r\n"),
    rawExchange(url, ""),
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
