import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

/** The command line's wallet, as a process of its own, with a site that tells who is asking. */

const script = fileURLToPath(new URL("../../../scripts/wallet.ts", import.meta.url));

let folder = "";
let server: Server;
let origin = "";
/** What came, without parameters. */
let heard: string[] = [];
let asked: Record<string, unknown> = {};
let undo = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wallet "));
  server = createServer((request, response) => {
    const { method, url = "" } = request;
    heard.push(`${method} ${url.split("?")[0]}`);
    const browser = { name: "Chrome on Windows" };
    const now = Date.now();
    const answers: Record<string, unknown> = {
      GET: {
        ...{ domain: "localhost", action: "login", intent: null, browser, network: "other" },
        asked_at: new Date(now - 5_000).toISOString(),
        expires_at: new Date(now + 25_000).toISOString(),
        ...asked,
      },
      POST: { status: "authenticated", browser, new_browser: true, undo },
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[method ?? ""]));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A TCP server's address is always this shape.
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [heard, asked, undo] = [[], {}, `${origin}/webhook/don't?s=1&t=2`];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function wallet(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const command = [script, ...args, "--seed-file", join(folder, "seed.json")];
  return new Promise((resolve) => {
    execFile(process.execPath, command, (error, out, err) =>
      resolve({ status: error ? Number(error.code) : 0, out, err }),
    );
  });
}

function code(): string {
  const ts = String(Math.floor(Date.now() / 1000));
  const challenge = `svc:login:localhost:${ts}:${"a".repeat(32)}`;
  const webhook = `${origin}/webhook/login`;
  return `svc://auth?${new URLSearchParams({ webhook, session: "s", challenge, ts })}`;
}

test("a login says which browser asks and that it is elsewhere, then who is signed in, and prints what takes it back", async () => {
  const login = await wallet("login", code(), "--json");
  expect(login.status).toBe(0);
  expect(login.out).toMatch(
    /Browser {2}Chrome on Windows, \d+ seconds ago\nCaution {2}The code was asked for on another network\. If you did not open this page yourself, decline\.\nApproved\. Chrome on Windows is being signed in\. It is new to your account\.\n/,
  );
  expect(JSON.parse(login.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    ok: true,
    browser: { name: "Chrome on Windows" },
    new_browser: true,
    undo,
  });
  const [, printed = ""] = /npm run wallet -- undo '([^\n]*)'\n/.exec(login.out) ?? [];
  expect(printed).not.toContain("'");
  const undone = await wallet("undo", printed);
  expect(undone).toMatchObject({ status: 0, out: "It is signed out.\n" });
  expect(heard).toEqual(["GET /webhook/login", "POST /webhook/login", "POST /webhook/don%27t"]);
});

test("a code that asks for something else than the site says is refused, and nothing is signed", async () => {
  asked = { intent: "add" };
  const login = await wallet("login", code(), "--json");
  expect(login).toMatchObject({ status: 1, err: expect.stringContaining("changed on its way to you") });
  expect(heard).toEqual(["GET /webhook/login"]);
});

test("on the same network nothing is said of it, and another site's way back is not offered", async () => {
  asked = { network: "same" };
  undo = "https://evil.example/undo";
  const login = await wallet("login", code());
  expect(login.status).toBe(0);
  expect(login.out).not.toMatch(/network|undo/);
});
