import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { exchangeRaw, formatRawRequest, type RawAnswer } from "../../../e2e/support/raw-http.ts";
import { RawSocket } from "../../../tools/kit/raw-socket.ts";
import { readClientStamp } from "../http/client-address.ts";
import { shutDown } from "../process/state.ts";
import { guardSite, type SiteGateOptions } from "./site-gate.ts";

/** Other code has created the server, as a framework does on a site. */

const ORIGIN = new URL("https://shop.example");
const JSON_TYPE = { "Content-Type": "application/json" };

afterEach(forgetProcess);

async function serve(listener: RequestListener, options: Partial<SiteGateOptions> = {}) {
  guardSite({ origin: ORIGIN, trustedProxies: 0, ...options });
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ server, port, url },
    ask: (line: string, headers: Record<string, string> = {}, body = "") =>
      exchangeRaw(url, Buffer.from(formatRawRequest(line, headers, body), "latin1")),
  };
}

const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  const body = Buffer.concat(await request.toArray()).toString("latin1");
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ method, url, headers, body }));
};

type SeenRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string };
const seenRequest = ({ body }: RawAnswer): SeenRequest => JSON.parse(body);

function expectRefused(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    status,
    { error: { code, message: expect.any(String), details: {} } },
  ]);
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}

describe.each(["/login", "/_next/static/x.js"])("the gate at %s", (path) => {
  const never = vi.fn<RequestListener>((_request, response) => void response.end());

  test.each<[number, string, string, Record<string, string>, string]>([
    [414, "uri_too_long", `GET ${path}?${"a".repeat(4_097)} HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET ${path}?${"a=1&".repeat(65)} HTTP/1.1`, {}, ""],
    [431, "headers_too_large", `GET ${path} HTTP/1.1`, { "X-Large": "x".repeat(16_370) }, ""],
    [413, "payload_too_large", `POST ${path} HTTP/1.1`, { "Content-Length": "65537" }, ""],
    [405, "method_not_allowed", `TRACE ${path} HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET http://evil.example${path} HTTP/1.1`, { Host: "shop.example" }, ""],
    [400, "invalid_request", `GET ftp://shop.example${path} HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET http://shop.example@evil.example${path} HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET http://shop.example.evil.example${path} HTTP/1.1`, {}, ""],
    [400, "invalid_request", "OPTIONS * HTTP/1.1", {}, ""],
    [400, "invalid_request", `GET ${path}?%00 HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET ${path}?%E0%A4%A HTTP/1.1`, {}, ""],
    [400, "invalid_request", `GET ${path} HTTP/1.1`, { "Next-Router-State-Tree": "%%%" }, ""],
    [400, "invalid_request", `GET ${path} HTTP/1.1`, { "Next-Router-State-Tree": "[".repeat(8_000) }, ""],
    [400, "invalid_request", `GET ${path} HTTP/1.1`, { "Next-Router-State-Tree": '["",[]]' }, ""],
  ])("refuses a request outside its limits: %i %s for %.70s", async (status, code, line, headers, body) => {
    const site = await serve(never);
    // The gate is installed when this first request arrives, after Node.js has parsed the request's headers.
    await site.ask("GET / HTTP/1.1");
    never.mockClear();
    expectRefused(await site.ask(line, headers, body), status, code);
    expect(never).not.toHaveBeenCalled();
  });
});

test("forwards a request that is within all limits, including its body", async () => {
  const site = await serve(echo);
  const body = "x".repeat(64 * 1024);
  const length = { "Content-Length": String(body.length), "X-Large": "x".repeat(15_000) };
  const answer = await site.ask(`PUT /files?${"a=1&".repeat(64)} HTTP/1.1`, length, body);
  expect(answer.status).toBe(200);
  expect(seenRequest(answer)).toMatchObject({ method: "PUT", url: `/files?${"a=1&".repeat(64)}`, body });
});

describe("an absolute-form target", () => {
  test.each([
    ["https://shop.example/login?a=b", "/login?a=b", "shop.example"],
    ["http://SHOP.example:443/login", "/login", "shop.example:443"],
    ["https://shop.example", "/", "shop.example"],
    ["https://shop.example?a=b", "/?a=b", "shop.example"],
  ])("is read in origin form if it names this host: %s", async (target, url, host) => {
    const site = await serve(echo);
    const answer = await site.ask(`GET ${target} HTTP/1.1`, { Host: "proxy.example" });
    expect(seenRequest(answer)).toMatchObject({ url, headers: { host } });
  });

  test("is also accepted for the connection's own IP address", async () => {
    const site = await serve(echo);
    for (const name of ["127.0.0.1", "localhost"]) {
      const answer = await site.ask(`GET http://${name}:${site.port}/login HTTP/1.1`);
      expect(seenRequest(answer).url).toBe("/login");
    }
    expectRefused(
      await site.ask(`GET http://localhost:${site.port + 1}/login HTTP/1.1`),
      400,
      "invalid_request",
    );
  });
});

describe("a body without a Content-Length", () => {
  const chunked = (count: number) =>
    [...Array(count).fill(`1000\r\n${"x".repeat(0x1000)}\r\n`), "0\r\n\r\n"].join("");
  const TYPE = { "Transfer-Encoding": "chunked", ...JSON_TYPE };

  test("reaches the framework in full, with its length", async () => {
    const site = await serve(echo);
    const { body, headers } = seenRequest(await site.ask("POST /login HTTP/1.1", TYPE, chunked(16)));
    expect([body.length, headers["content-length"], headers["transfer-encoding"]]).toEqual([
      65_536,
      "65536",
      undefined,
    ]);
  });

  test("is refused with 413 above 64 KB before the framework sees it", async () => {
    const listener = vi.fn(echo);
    const site = await serve(listener);
    expectRefused(await site.ask("POST /login HTTP/1.1", TYPE, chunked(17)), 413, "payload_too_large");
    expect(listener).not.toHaveBeenCalled();
  });

  test("leaves the connection open for the next request if the framework does not read the body", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/one") request.destroy();
      response.end(request.url);
    });
    const { text } = await exchangeRaw(
      site.url,
      formatRawRequest("POST /one HTTP/1.1", { ...TYPE, Connection: "keep-alive" }, chunked(2)) +
        formatRawRequest("GET /two HTTP/1.1"),
    );
    expect(text).toMatch(/\/one[\s\S]*\/two/);
  });
});

test("forwards a body above 64 KB only to paths where the site limits bodies itself", async () => {
  const site = await serve(echo, { acceptsLargeBodies: (pathname) => pathname === "/upload" });
  const body = "x".repeat(100_000);
  const length = { "Content-Length": String(body.length) };
  expect(seenRequest(await site.ask("POST /upload HTTP/1.1", length, body)).body).toBe(body);
  const chunk = `186a0\r\n${body}\r\n0\r\n\r\n`;
  expect(
    seenRequest(await site.ask("POST /upload HTTP/1.1", { "Transfer-Encoding": "chunked" }, chunk)).body,
  ).toBe(body);
  expect((await site.ask("POST /login HTTP/1.1", length, body)).status).toBe(413);
  // Large bodies can take longer than the time limit for short bodies.
  expect(site.server.requestTimeout).toBeGreaterThan(60_000);
});

describe("a request that reaches the framework", () => {
  const clientOf = ({ headers }: SeenRequest) => readClientStamp(String(headers["x-client-address"]));

  test("contains the connection's IP address, regardless of the client's headers", async () => {
    const site = await serve(echo);
    const claims = { "X-Client-Address": "9.9.9.9", "X-Forwarded-For": "8.8.8.8", "X-Request-Id": "mine" };
    const request = seenRequest(await site.ask("GET / HTTP/1.1", claims));
    expect(clientOf(request)).toBe("127.0.0.1");
    expect(request.headers["x-request-id"]).not.toBe("mine");
  });

  test("contains the client address that the configured number of proxies saw", async () => {
    const site = await serve(echo, { trustedProxies: 1 });
    const request = seenRequest(
      await site.ask("GET / HTTP/1.1", { "X-Forwarded-For": "8.8.8.8, 203.0.113.9" }),
    );
    expect(clientOf(request)).toBe("203.0.113.9");
  });

  test("is rewritten to the site's single route if it is a wallet's request", async () => {
    const site = await serve(echo, { oneRoute: true });
    const urlOf = async (path: string) => seenRequest(await site.ask(`GET ${path} HTTP/1.1`)).url;
    expect(await urlOf("/webhook/login?s=1")).toBe("/api/svc/webhook/login?s=1");
    expect(await urlOf("/webhook/stripe")).toBe("/webhook/stripe");
    const other = await serve(echo);
    expect(seenRequest(await other.ask("GET /webhook/login HTTP/1.1")).url).toBe("/webhook/login");
  });

  const stateOf = (segment: unknown) => JSON.stringify(["", { children: [segment, {}, null, "refetch"] }]);

  test.each([stateOf("login"), encodeURIComponent(stateOf(["id", "7", "d", null]))])(
    "contains the framework router's state if that state can be parsed: %s",
    async (state) => {
      const site = await serve(echo);
      const { headers } = seenRequest(await site.ask("GET / HTTP/1.1", { "Next-Router-State-Tree": state }));
      expect(headers["next-router-state-tree"]).toBe(state);
    },
  );

  test("contains no conditional headers if it is for the framework's own files", async () => {
    const site = await serve(echo);
    const conditions = { Range: "bytes=9-", "If-Range": "x", "If-Match": "x", "If-Unmodified-Since": "x" };
    const sentTo = async (path: string) =>
      Object.keys(seenRequest(await site.ask(`GET ${path} HTTP/1.1`, conditions)).headers);
    const names = ["range", "if-range", "if-match", "if-unmodified-since"];
    const ofFramework = await sentTo("/_next/static/x.js");
    expect(ofFramework.filter((name) => names.includes(name))).toEqual([]);
    expect(await sentTo("/film.mp4")).toEqual(expect.arrayContaining(names));
  });

  test("is redirected to the 404 page instead of the framework's own error page", async () => {
    const site = await serve(echo);
    for (const path of ["/_global-error", "/_global-error/", "/%5Fglobal-error"]) {
      expect(seenRequest(await site.ask(`GET ${path} HTTP/1.1`)).url).toBe("/_not-found");
    }
  });

  test("has its headers truncated to the length that pages need", async () => {
    const site = await serve(echo);
    const language = `a${" ".repeat(15_500)}b`;
    const { headers } = seenRequest(await site.ask("GET / HTTP/1.1", { "Accept-Language": language }));
    expect(headers["accept-language"]).toHaveLength(256);
    const agent = seenRequest(await site.ask("GET / HTTP/1.1", { "User-Agent": "x".repeat(15_000) }));
    expect(agent.headers["user-agent"]).toHaveLength(512);
  });
});

describe("a response", () => {
  const answering = (status: number, headers: Record<string, string>) =>
    serve((_request, response) => void response.writeHead(status, headers).end("x"));

  test("gets default security headers if the site has set none", async () => {
    const site = await answering(200, { "Content-Type": "text/html" });
    const { headers } = await site.ask("GET /about HTTP/1.1");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).not.toMatch(/script-src|default-src/);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("has each of the site's own security headers exactly once", async () => {
    const own = {
      "content-security-policy": "frame-ancestors 'self'",
      "Referrer-Policy": "no-referrer",
      "X-Request-Id": "its-own",
    };
    const { headers, text } = await (await answering(200, own)).ask("GET /about HTTP/1.1");
    expect(headers.get("content-security-policy")).toBe("frame-ancestors 'self'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-request-id")).toBe("its-own");
    // With this header, a browser would refuse the frame that the policy allows.
    expect(headers.has("x-frame-options")).toBe(false);
    expect(text.match(/^(content-security|referrer)-policy:/gim)).toHaveLength(2);
  });

  test.each(["/_next/nope", "/_next/static/nope.js", "/favicon.ico"])(
    "has every security header even if it is the framework's own 404: %s",
    async (path) => {
      const { headers } = await (await answering(404, { "Content-Type": "text/html" })).ask(
        `GET ${path} HTTP/1.1`,
      );
      expect(headers.get("content-security-policy")).toMatch(
        /default-src .*script-src .*frame-ancestors 'none'/,
      );
      for (const name of ["cross-origin-opener-policy", "permissions-policy", "x-frame-options"]) {
        expect(headers.has(name), name).toBe(true);
      }
    },
  );
});

describe("a connection", () => {
  const limitsOf = ({ keepAliveTimeout, headersTimeout, requestTimeout }: Server) => ({
    ...{ keepAliveTimeout, headersTimeout, requestTimeout },
  });

  test("stays open for 65 seconds and waits 10 seconds for headers", async () => {
    const site = await serve(echo);
    // The gate is installed only during the first request.
    await site.ask("GET / HTTP/1.1");
    const socket = new RawSocket(site.url);
    onTestFinished(() => socket.hangUp());
    await socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await vi.waitFor(() => expect(socket.text).toMatch(/\r\nKeep-Alive: timeout=65\r\n/));
    expect(limitsOf(site.server)).toEqual({
      ...{ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 20_000 },
    });
  });

  test("stays open for longer if the operator configures it", async () => {
    const site = await serve(echo);
    site.server.keepAliveTimeout = 90_000;
    await site.ask("GET / HTTP/1.1");
    expect(site.server.keepAliveTimeout).toBe(90_000);
  });

  test("receives Connection: close with its last response once the process is stopping", async () => {
    const site = await serve(echo);
    await site.ask("GET / HTTP/1.1");
    await shutDown(async () => {});
    const answer = await site.ask("GET / HTTP/1.1", { Connection: "keep-alive" });
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("is closed after a response that began before the process was stopping", async () => {
    let response: ServerResponse | undefined;
    const site = await serve((_request, answer) => {
      response = answer;
      answer.write("data");
    });
    const socket = new RawSocket(site.url);
    onTestFinished(() => socket.hangUp());
    await socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await vi.waitFor(() => expect(socket.text).toMatch(/\r\nConnection: keep-alive\r\n/));
    await shutDown(async () => {});
    response?.end();
    await socket.closed;
  });

  test("is closed in production if it is a hot reload connection", async () => {
    const site = await serve(echo);
    site.server.on("upgrade", ({ url }, socket) => {
      if (url === "/own") socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    });
    await site.ask("GET / HTTP/1.1");
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket" };
    expect((await site.ask("GET /_next/webpack-hmr HTTP/1.1", upgrade)).text).toBe("");
    expect((await site.ask("GET /own HTTP/1.1", upgrade)).status).toBe(101);
  });

  test("receives a response with every security header if its bytes are not a request", async () => {
    const site = await serve(echo);
    await site.ask("GET / HTTP/1.1");
    const socket = connect(site.port, "127.0.0.1");
    socket.end("nonsense\r\n\r\n");
    const text = (await socket.setEncoding("latin1").toArray()).join("");
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*content-security-policy: /);
  });
});

test("redirects a page that is opened under a different loopback host name to the site's origin", async () => {
  const { ask } = await serve(echo, { origin: new URL("http://localhost:3421") });
  const visit = { Host: "127.0.0.1:3421", Accept: "text/html,*/*;q=0.8" };
  const redirected = await ask("GET /login?callbackUrl=%2Fa HTTP/1.1", visit);
  expect(redirected.status).toBe(307);
  expect(redirected.headers.get("location")).toBe("http://localhost:3421/login?callbackUrl=%2Fa");
  expect(redirected.headers.get("x-content-type-options")).toBe("nosniff");
  for (const headers of [
    { ...visit, Host: "localhost:3421" },
    { ...visit, Accept: "*/*" },
  ]) {
    expect((await ask("GET /login HTTP/1.1", headers)).status).toBe(200);
  }
});
