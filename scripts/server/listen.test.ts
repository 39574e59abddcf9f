import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createSocketServer } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "#tools/kit/start-server.ts";
import { assertPortFree, drain, listen } from "./listen.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
/** Reserved for documentation (RFC 5737), so no machine has this IP address. */
const UNASSIGNED_ADDRESS = "198.51.100.231";

function makeServer(): Server {
  const server = createServer((_request, response) => response.end("here"));
  onTestFinished(() => drain(server, 0));
  return server;
}

const ask = async (host: string, port: number) => (await fetch(`http://${host}:${port}/`)).text();

/** Other machines might reach it. */
const outer = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === "IPv4" && !address.internal)?.address;

test("listens on both loopback addresses and no other", async () => {
  const server = makeServer();
  const port = await findFreePort();
  await listen(server, port, LOOPBACK);
  expect(await ask("127.0.0.1", port)).toBe("here");
  expect(await ask("[::1]", port)).toBe("here");
  if (outer) await expect(ask(outer, port)).rejects.toThrow("fetch failed");
});

test("listens on every interface if HOST is not set", async () => {
  const server = makeServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  for (const host of ["127.0.0.1", "[::1]", outer ?? "127.0.0.1"]) expect(await ask(host, port)).toBe("here");
});

test("skips an IP address that this machine does not have if it has one of the others", async () => {
  const server = makeServer();
  const port = await findFreePort();
  await listen(server, port, [UNASSIGNED_ADDRESS, "127.0.0.1"]);
  expect(await ask("127.0.0.1", port)).toBe("here");
});

test("fails and names HOST if this machine has none of its IP addresses", async () => {
  const message = new RegExp(`^HOST: ${UNASSIGNED_ADDRESS} is not an address of this machine; expected`);
  await expect(listen(makeServer(), await findFreePort(), [UNASSIGNED_ADDRESS])).rejects.toThrow(message);
  await expect(assertPortFree(await findFreePort(), [UNASSIGNED_ADDRESS])).rejects.toThrow(message);
});

test("refuses a port that is taken on only one of its IP addresses", async () => {
  const port = await findFreePort();
  const other = createSocketServer().listen(port, "::1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  await expect(assertPortFree(port, LOOPBACK)).rejects.toThrow(`Port ${port} is taken`);
  await assertPortFree(port, ["127.0.0.1"]);
});

test("names the next free port if the configured port is taken", async () => {
  const port = await findFreePort();
  const take = async (heldPort: number) => {
    const other = createSocketServer().listen(heldPort, "127.0.0.1");
    onTestFinished(() => void other.close());
    return once(other, "listening").catch(() => {});
  };
  await take(port);
  await take(port + 1);
  const errorText = await assertPortFree(port, ["127.0.0.1"]).catch(String);
  const [, named = ""] =
    /^Error: Port \d+ is taken by .* PORT=(\d+) npm start$/.exec(String(errorText)) ?? [];
  expect(Number(named)).toBeGreaterThan(port + 1);
  await assertPortFree(Number(named), ["127.0.0.1"]);
});

test("answers requests at all of its IP addresses while the server is stopping", async () => {
  const answer = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    await answer.promise;
    response.end("done");
  });
  const port = await findFreePort();
  await listen(server, port, LOOPBACK);
  const arrival = once(server, "request");
  const socket = connect(port, "::1").setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await arrival;
  const drained = drain(server, 5);
  answer.resolve();
  await Promise.all([drained, once(socket, "close")]);
  expect(text).toMatch(/^HTTP\/1\.1 200 .*done/s);
});

test("answers connections from the accept queue while the server is stopping", async () => {
  const server = makeServer();
  await listen(server, 0, ["127.0.0.1"]);
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: 20 }, () => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    return new Promise<string>((resolve) => {
      socket.setEncoding("latin1").on("data", resolve);
      socket.on("error", ({ message }) => resolve(message));
      socket.on("close", () => resolve("closed"));
    });
  });
  // All connections are still in the accept queue, because the event loop has not had time to accept any.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const drained = drain(server, 5);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/);
  await drained;
});
