import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assertPortFree } from "#scripts/server/listen.ts";
import { startApp } from "./start-app.ts";
import { findFreePort, listen } from "./start-server.ts";

/** Replaces the application. It records the port of each start, and reports the first few as taken. */
const SERVER = `
  const { appendFileSync, readFileSync } = require("node:fs");
  const { createServer } = require("node:http");
  const { PORT, NOTE, TAKEN, WORDS } = process.env;
  appendFileSync(NOTE, PORT + "\\n");
  const listen = (ready) => createServer((_, response) => response.end("here")).listen(PORT, ready);
  if (readFileSync(NOTE, "utf8").split("\\n").length - 1 <= Number(TAKEN)) {
    if (WORDS) throw new Error(WORDS);
    listen();
  }
  listen(() => console.log("Ready on " + PORT));`;

/** Starts the program. `ports` lists the ports of its attempts. */
function start(variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "start app "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const note = join(folder, "ports");
  return {
    app: startApp({ NOTE: note, ...variables }, { args: ["-e", SERVER] }),
    ports: () => readFileSync(note, "utf8").trim().split("\n"),
  };
}

/** Returns the application's message about a port that another program uses. */
async function ownWords(): Promise<string> {
  const other = createServer();
  onTestFinished(() => void other.close());
  const port = await listen(other);
  return assertPortFree(port, []).then(
    () => "it was free",
    (error: Error) => error.message,
  );
}

test.each([
  ["the platform", async () => ""],
  ["the application", ownWords],
])("uses a different port if its port is taken in the meantime: reported by %s", async (_whose, words) => {
  const { app, ports } = start({ TAKEN: "2", WORDS: await words() });
  const { url, stop } = await app;
  onTestFinished(() => stop());
  expect(await (await fetch(url)).text()).toBe("here");
  expect(new Set(ports()).size).toBe(3);
  expect(new URL(url).port).toBe(ports().at(-1));
});

test("fails after five ports if every port is taken", async () => {
  const { app, ports } = start({ TAKEN: "100" });
  await expect(app).rejects.toThrow("EADDRINUSE");
  expect(ports()).toHaveLength(5);
});

test("tries only the requested port", async () => {
  const requestedPort = String(await findFreePort());
  const started = start({ PORT: requestedPort, TAKEN: "1" });
  await expect(started.app).rejects.toThrow("EADDRINUSE");
  expect(started.ports()).toEqual([requestedPort]);
  const broken = start({ TAKEN: "1", WORDS: "Not started: APP_URL" });
  await expect(broken.app).rejects.toThrow("Not started: APP_URL");
  expect(broken.ports()).toHaveLength(1);
});
