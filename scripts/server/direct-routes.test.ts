import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readBytes } from "#lib/login/http/read-body.ts";
import { type DirectHandler, directHandlers } from "#lib/platform/http/direct-handlers.ts";
import { answerDirectly } from "./direct-routes.ts";
import { makeHttpServer } from "./http-server.ts";
import { listen } from "./listen.ts";

const ROUTE = "POST /webhook/login";

/** Serves one direct handler, until the test has ended. @returns the server's port */
async function serve(handler: DirectHandler): Promise<number> {
  directHandlers.at.set(ROUTE, handler);
  const settings = { secure: false, trustedProxies: 0, development: false };
  const server = makeHttpServer(settings, async (request, response) => {
    await answerDirectly(request, response);
  });
  onTestFinished(() => {
    directHandlers.at.delete(ROUTE);
    server.closeAllConnections();
    server.close();
  });
  await listen(server, 0);
  return (server.address() as AddressInfo).port;
}

test("a body that its reader gave up is read to its end without an error", async () => {
  const port = await serve((request) =>
    readBytes(request).then(
      () => new Response("read"),
      () => new Response("refused", { status: 413 }),
    ),
  );
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.prependListener("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));

  const socket = connect(port, "localhost");
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

test("a handler reads headers as of a `Request`: in any case, empty ones too, and none that was not sent", async () => {
  const port = await serve(async ({ headers }) => {
    const names = ["X-Sent", "x-empty", "x-absent", "constructor", "__proto__", "Content-Security-Policy"];
    const entries = Object.fromEntries(headers.entries());
    return Response.json([names.map((name) => headers.get(name)), [entries["x-sent"], entries["x-empty"]]]);
  });
  const sent = { "X-Sent": "a", "X-Empty": "", "Content-Security-Policy": "script-src 'nonce-mine'" };
  const answer = await fetch(`http://localhost:${port}/webhook/login`, { method: "POST", headers: sent });
  expect(await answer.json()).toEqual([
    ["a", "", null, null, null, null],
    ["a", ""],
  ]);
});
