import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Handler } from "#packages/login/gate/guard-server.ts";
import { readBodyBytes } from "#packages/login/http/read-body.ts";
import { createGateSettings } from "./gate.ts";
import { createHttpServer } from "./http-server.ts";
import { drain, listen } from "./listen.ts";
import { sendResponse, toWebRequest } from "./web-exchange.ts";

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Serves it behind the gate until the test ends. */
async function serve(handler: Handler): Promise<Server> {
  const config = { APP_URL: new URL("http://localhost"), SECURE: false, TRUSTED_PROXIES: 0 };
  const server = createHttpServer(createGateSettings(config, false), handler);
  await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

function open(server: Server) {
  const socket: Socket = connect(portOf(server), "localhost");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += chunk;
  });
  return { socket, closed: once(socket, "close"), text: () => text };
}

test("answers a request that arrives on an open connection while the server is stopping", async () => {
  const server = await serve(async (_request, response) => void response.end());
  const connected = once(server, "connection");
  const client = open(server);
  await connected;
  const drained = drain(server, 5);
  client.socket.write(REQUEST);
  await Promise.all([drained, client.closed]);
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  expect(client.text()).toMatch(/\r\nConnection: close\r\n/i);
});

test("closes connections that do not finish in time", async () => {
  const arrival = Promise.withResolvers<void>();
  const server = await serve(async () => arrival.resolve());
  const client = open(server);
  client.socket.write(REQUEST);
  await arrival.promise;
  await Promise.all([drain(server, 0.1), client.closed]);
  expect(client.text()).toBe("");
});

test("handles the requests on a connection one at a time", async () => {
  const startedRequests: string[] = [];
  const answers: (() => void)[] = [];
  const server = await serve(async ({ url }, response) => {
    startedRequests.push(url ?? "");
    answers.push(() => response.end());
  });
  const client = open(server);
  client.socket.write(["/1", "/2", "/3"].map((path) => REQUEST.replace("/healthz", path)).join(""));
  await vi.waitFor(() => expect(startedRequests).toEqual(["/1"]));
  answers[0]?.();
  await vi.waitFor(() => expect(startedRequests).toEqual(["/1", "/2"]));
  client.socket.destroy();
  await client.closed;
  await vi.waitFor(async () => expect(await connections(server)).toBe(0));
  answers[1]?.();
  expect(startedRequests).toEqual(["/1", "/2"]);
});

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

const ROUTE = "POST /webhook/login";

/** Serves it until the test ends. */
function serveRoute(handle: (request: Request) => Promise<Response>): Promise<Server> {
  return serve(async (request, response) => sendResponse(await handle(toWebRequest(request)), response));
}

test("reads a body that its handler abandons to the end, without an error", async () => {
  const server = await serveRoute((request) =>
    readBodyBytes(request).then(
      () => new Response("read"),
      () => new Response("refused", { status: 413 }),
    ),
  );
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.prependListener("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));

  const { socket, closed, text } = open(server);
  const head = `${ROUTE} HTTP/1.1\r\nHost: localhost\r\n`;
  const chunks = `8000\r\n${"x".repeat(0x8000)}\r\n`.repeat(9);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  socket.write(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
  await closed;
  expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["413", "200"]);
  expect(failures).toEqual([]);
});

test("lets a handler read headers in the same way as from a `Request`", async () => {
  const server = await serveRoute(async ({ headers }) => {
    const names = ["X-Sent", "x-empty", "x-absent", "constructor", "__proto__", "Content-Security-Policy"];
    const entries = Object.fromEntries(headers.entries());
    return Response.json([names.map((name) => headers.get(name)), [entries["x-sent"], entries["x-empty"]]]);
  });
  const ownHeaders = { "X-Sent": "a", "X-Empty": "", "Content-Security-Policy": "script-src 'nonce-mine'" };
  const answer = await fetch(`http://localhost:${portOf(server)}/webhook/login`, {
    method: "POST",
    headers: ownHeaders,
  });
  expect(await answer.json()).toEqual([
    ["a", "", null, null, null, null],
    ["a", ""],
  ]);
});
