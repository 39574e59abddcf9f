import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import { createConnectionConfig } from "./migrate.ts";
import { ORIGIN } from "./tests/site.fixture.ts";

/** No process outlives its request (docs/where-it-runs.md): each request runs in a separate Node.js process. */

const FUNCTION = join(import.meta.dirname, "tests/fresh-process.fixture.ts");
/** The host adds these headers. */
const EDGE = { "x-real-ip": "203.0.113.9" };
const JSON_HEADERS = { "content-type": "application/json", origin: ORIGIN, ...EDGE };

type SentRequest = { path?: string; method?: "POST"; headers?: Record<string, string>; body?: string };
type Answer = { status: number; cookie: string[]; body: Record<string, string> };

async function site() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const client = new pg.Client(createConnectionConfig(database.url));
  const ask = async <Result = Answer>(request: SentRequest): Promise<Result> => {
    const child = spawn(process.execPath, ["--no-warnings", FUNCTION, database.url], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end(JSON.stringify(request));
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    if (status !== 0) throw new Error(`the function ended with ${status}`);
    return JSON.parse(said);
  };
  const post = (path: string, body: unknown, cookie: string[] = []) =>
    ask({
      ...{ path, method: "POST", body: JSON.stringify(body) },
      headers: { ...JSON_HEADERS, cookie: cookie.join("; ") },
    });
  return { client, ask, post };
}

test("signs in a browser that polls, even if each request runs in a new process", async () => {
  const { client, ask, post } = await site();
  await client.connect();
  onTestFinished(() => client.end());
  const wallet = new VirtualWallet();
  const code = await ask({ path: "/api/svc/qr?mode=register", headers: EDGE });
  // A client gets a code only if the host reports its address.
  expect(await ask({ path: "/api/svc/qr" })).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
  const counters = await client.query("SELECT key, points FROM rate_limit");
  expect(counters.rows).toEqual([{ key: "qr:203.0.113.9", points: 1 }]);
  const { sid = "", challenge = "" } = code.body;
  const check = () =>
    ask({ path: `/api/svc/check?sid=${sid}`, headers: { ...EDGE, cookie: code.cookie.join("; ") } });
  expect(await post("/webhook/register", wallet.sign(challenge))).toMatchObject({
    status: 200,
    body: { status: "authenticated" },
  });
  expect((await check()).body).toMatchObject({ status: "authenticated" });
  expect((await post("/webhook/register", wallet.sign(challenge))).status).toBe(408);
  // Knowing only the sid does not give a client a session.
  const attempt = "0123456789abcdef0123456789abcdef";
  expect((await post("/api/svc/sign-in", { sid, attempt })).status).toBe(401);
  const signedIn = await post("/api/svc/sign-in", { sid, attempt }, code.cookie);
  expect(signedIn).toMatchObject({ status: 200, body: { redirect: "/dashboard" } });
  const cookie = signedIn.cookie.join("; ");
  expect(await ask<number | null>({ path: "/session", headers: { cookie } })).toBe(1);

  // On other hosts, the process's timer deletes these rows.
  await client.query("UPDATE browser_session SET expires_at = now() - interval '1 min'");
  expect(await ask<null>({})).toBeNull();
  expect((await client.query("SELECT id FROM browser_session")).rows).toEqual([]);
});
