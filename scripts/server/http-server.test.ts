import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeHttpServer } from "./http-server.ts";
import { drain, listen } from "./listen.ts";

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A server whose requests are answered when `answer` is called. */
async function startServer() {
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const settings = { secure: false, trustedProxies: 0, development: false };
  const server = makeHttpServer(settings, async (_request, response) => {
    asked.resolve();
    await told.promise;
    response.end("done");
  });
  await listen(server, 0);
  onTestFinished(() => server.closeAllConnections());
  return { server, asked: asked.promise, answer: told.resolve };
}

function open(server: Server) {
  const socket: Socket = connect((server.address() as AddressInfo).port, "localhost");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += chunk;
  });
  return { socket, closed: once(socket, "close"), text: () => text };
}

test("a request in flight is answered while the server stops", async () => {
  const { server, asked, answer } = await startServer();
  const client = open(server);
  client.socket.write(REQUEST);
  await asked;
  const drained = drain(server, 5);
  answer();
  await Promise.all([drained, client.closed]);
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 .*done/s);
});

test("a request that is just arriving on an open connection is answered too, and told that it was the last", async () => {
  const { server, answer } = await startServer();
  answer();
  const taken = once(server, "connection");
  const client = open(server);
  await taken;
  const drained = drain(server, 5);
  client.socket.write(REQUEST);
  await Promise.all([drained, client.closed]);
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  expect(client.text()).toMatch(/\r\nConnection: close\r\n/i);
});

test("what does not finish in its time is closed", async () => {
  const { server, asked } = await startServer();
  const client = open(server);
  client.socket.write(REQUEST);
  await asked;
  await Promise.all([drain(server, 0.1), client.closed]);
  expect(client.text()).toBe("");
});

test("requests of one connection are begun one after the other, and not at all once it is gone", async () => {
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const settings = { secure: false, trustedProxies: 0, development: false };
  const server = makeHttpServer(settings, async ({ url }, response) => {
    begun.push(url ?? "");
    answers.push(() => response.end());
  });
  await listen(server, 0);
  onTestFinished(() => server.closeAllConnections());
  const client = open(server);
  client.socket.write(["/1", "/2", "/3"].map((path) => REQUEST.replace("/healthz", path)).join(""));
  await vi.waitFor(() => expect(begun).toEqual(["/1"]));
  answers[0]?.();
  await vi.waitFor(() => expect(begun).toEqual(["/1", "/2"]));
  client.socket.destroy();
  await client.closed;
  await vi.waitFor(async () => expect(await connections(server)).toBe(0));
  answers[1]?.();
  expect(begun).toEqual(["/1", "/2"]);
});

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
