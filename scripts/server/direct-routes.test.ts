import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { directHandlers } from "#lib/platform/http/direct-handlers.ts";
import { readBytes } from "#lib/platform/http/read-json.ts";
import { answerDirectly } from "./direct-routes.ts";
import { makeHttpServer } from "./http-server.ts";
import { listen } from "./listen.ts";

const ROUTE = "POST /webhook/login";

test("a body that its reader gave up is read to its end without an error", async () => {
  const { at } = directHandlers;
  at.set(ROUTE, (request) =>
    readBytes(request).then(
      () => new Response("read"),
      () => new Response("refused", { status: 413 }),
    ),
  );
  const failures: unknown[] = [];
  const settings = { secure: false, trustedProxies: 0, development: false };
  const server = makeHttpServer(settings, async (request, response) => {
    await answerDirectly(request, response);
  });
  const note = (error: unknown) => failures.push(error);
  process.prependListener("uncaughtExceptionMonitor", note);
  onTestFinished(() => {
    at.delete(ROUTE);
    process.off("uncaughtExceptionMonitor", note);
    server.closeAllConnections();
    server.close();
  });
  await listen(server, 0);

  const socket = connect((server.address() as AddressInfo).port, "localhost");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += chunk;
  });
  const head = `${ROUTE} HTTP/1.1\r\nHost: localhost\r\n`;
  const chunks = `8000\r\n${"x".repeat(0x8000)}\r\n`.repeat(9);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  socket.write(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
  await once(socket, "close");

  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["413", "200"]);
  expect(failures).toEqual([]);
});
