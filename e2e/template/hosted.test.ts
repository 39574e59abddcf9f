import type { ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { runReceiver } from "#lib/conformance/receiver/run-receiver.ts";
import { createTestDatabase, type TestDatabase } from "#scripts/kit/database.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import { freePort, type RunningServer } from "#scripts/kit/start-server.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";
import { findBrowser } from "#scripts/test/find-browser.ts";
import {
  BUILT_ONCE,
  configure,
  generate,
  refusedStart,
  run,
  type SiteVariables,
  shellVariables,
  start,
} from "./generated-site.ts";
import { answers, killGroup } from "./site-process.ts";

/** `npm run template -- DIR --hosted`, from nothing to a browser that is signed in through this application's API. */

const MINUTES = 60_000;

const installed = inject("installedSite");
const folder = mkdtempSync(join(tmpdir(), "svc hosted "));
const site = join(folder, "site");
let databases: TestDatabase[];
let api: RunningServer;
let url: string;
let secret: string;
let variables: SiteVariables;
/** The same, and what `npm test` has built. */
let served: SiteVariables;

beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [ofApi, ofSite] = databases.map((database) => database.url);
  api = await startApp({
    DATABASE_URL: ofApi ?? "",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    LOG_LEVEL: "warn",
  });
  const port = String(await freePort());
  url = `http://localhost:${port}`;
  const customer = await newCustomer(api.url, ofApi ?? "");
  const registered = await customer.registerDomain(ofApi ?? "", {
    ...{ domain: "localhost", webhookUrl: `${url}/api/svc/webhook`, verified: false },
  });
  secret = registered.webhook_secret;
  variables = {
    ...shellVariables(),
    BROWSER_PATH: await findBrowser(() => {}),
    DATABASE_URL: ofSite,
    NEXTAUTH_SECRET: "a secret for tests that is long enough",
    PORT: port,
    SVC_API_URL: `${api.url}/sandbox/v1`,
    SVC_API_KEY: customer.key,
    SVC_WEBHOOK_SECRET: secret,
  };
  served = { ...variables, BUILD_FOLDER: ".next/test" };
  generate(site, ["--hosted"], variables, installed);
  // Its `npm test` has checked the types before it builds.
  configure(site, "typescript: { ignoreBuildErrors: true }", BUILT_ONCE);
}, 15 * MINUTES);

afterAll(async () => {
  await api?.stop();
  await Promise.all((databases ?? []).map((database) => database.close()));
  rmSync(folder, { recursive: true, force: true });
});

test(
  "its own tests pass: types, build, a login in a browser, and another browser that gets nothing",
  () => {
    expect(run("npm", ["test"], site, variables)).toMatch(/3 passed/);
  },
  15 * MINUTES,
);

test("its build knows no secret of the environment", () => {
  const built = readdirSync(join(site, ".next"), { recursive: true, withFileTypes: true });
  const held = built
    .filter((entry) => entry.isFile() && /\.(js|html|json|txt|rsc)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .filter((text) => text.includes(secret) || text.includes(String(variables.SVC_API_KEY)));
  expect(held).toEqual([]);
});

test("without its key it does not start, and says which variable is missing and where to get one", () => {
  const { SVC_API_KEY: _, ...without } = served;
  const said = refusedStart(site, without);
  expect(said).toMatch(
    /^exit code 1\n[\s\S]*SVC_API_KEY: required.*console.*npm run admin -- api-key create --mode test --name/,
  );
  expect(said).not.toMatch(/SVC_WEBHOOK_SECRET/);
});

describe("while it runs", () => {
  let server: ChildProcess;
  beforeAll(async () => {
    server = start(site, served);
    await answers(`${url}/login`);
  });
  afterAll(() => killGroup(server));

  test("it names the API's host to wallets, for its own domain", async () => {
    const response = await fetch(`${url}/.well-known/svc-login`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({ domain: "localhost", webhook_hosts: ["localhost"] });
  });

  test("its receiver of events keeps every rule that the conformance kit tries", async () => {
    const { results } = await runReceiver({
      url: new URL(`${url}/api/svc/webhook`),
      ...{ secret, timeoutSeconds: 30 },
    });
    const open = results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked");
    expect(open.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  });

  test("forged, replayed and stale events sign in nobody", async () => {
    const { sid, cookie } = await newCode();
    const body = eventOf(sid);
    const now = Math.floor(Date.now() / 1000);
    const forged: Record<string, string>[] = [
      {},
      signed(body, { key: "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==" }),
      signed(`${body} `),
      signed(body, { timestamp: now - 301 }),
      signed(body, { timestamp: now + 330 }),
      { "x-svc-signature": createHmac("sha256", secret).update(body).digest("hex") },
    ];
    for (const headers of forged) expect(await send(body, headers)).toBe(401);
    const event = signed(body);
    expect(await send(eventOf(randomUUID()), signed(eventOf(randomUUID())))).toBe(401);
    expect(await statusOf(sid, cookie)).toEqual({ status: "pending" });

    expect(await send(body, event)).toBe(204);
    expect(await statusOf(sid, cookie)).toEqual({ status: "authenticated", redirect: "/dashboard" });
    expect(await signIn(sid, cookie)).toHaveLength(1);
    // The same event again, for the same login, which is over.
    expect(await send(body, event)).toBe(204);
    expect(await signIn(sid, cookie)).toEqual([]);
    // The same event id for another login.
    const second = await newCode();
    const replay = eventOf(second.sid);
    expect(await send(replay, signed(replay, { id: event["webhook-id"] ?? "" }))).toBe(204);
    expect(await statusOf(second.sid, second.cookie)).toEqual({ status: "pending" });
  });

  test("of twenty sign-ins at once, one is signed in, and its cookie is dead after signing out", async () => {
    const { sid, cookie } = await newCode();
    const body = eventOf(sid);
    expect(await send(body, signed(body))).toBe(204);
    const all = await Promise.all(Array.from({ length: 20 }, () => signIn(sid, cookie)));
    const [session, ...others] = all.flat();
    expect(others).toEqual([]);
    expect(session).toBeDefined();
    const user = async () => (await (await get("/api/auth/session", session)).json()).user;
    expect(await user()).toEqual({ id: expect.any(Number) });
    await postAuth("signout", {}, `${session}; ${cookie}`);
    expect(await user()).toBeUndefined();
    await expect(statusOf(sid, cookie)).resolves.not.toEqual({ status: "pending" });
  });

  const get = (path: string, cookie = "") => fetch(url + path, { headers: { cookie }, redirect: "manual" });

  async function newCode(): Promise<{ sid: string; cookie: string }> {
    const response = await get("/api/svc/qr");
    const { sid } = await response.json();
    return { sid, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
  }

  const statusOf = async (sid: string, cookie: string) =>
    (await get(`/api/svc/check?sid=${sid}`, cookie)).json();

  async function send(body: string, headers: Record<string, string>): Promise<number> {
    const all = { "Content-Type": "application/json", ...headers };
    return (await fetch(`${url}/api/svc/webhook`, { method: "POST", headers: all, body })).status;
  }

  async function postAuth(path: string, fields: Record<string, string>, cookie: string): Promise<Response> {
    const csrf = await get("/api/auth/csrf");
    const { csrfToken } = await csrf.json();
    const cookies = [cookie, ...csrf.headers.getSetCookie().map((each) => each.split(";")[0])].join("; ");
    const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
    return fetch(`${url}/api/auth/${path}`, { method: "POST", headers: { cookie: cookies }, body });
  }

  /** The session cookies that a sign-in sets: one, or none. */
  async function signIn(sid: string, cookie: string): Promise<string[]> {
    const response = await postAuth("callback/hosted", { sid }, cookie);
    return response.headers
      .getSetCookie()
      .map((each) => each.split(";")[0] ?? "")
      .filter((each) => /^next-auth\.session-token=./.test(each));
  }
});

function eventOf(sid: string): string {
  const data = { public_key: new TestWallet().publicKey };
  return JSON.stringify({ event: "login", timestamp: new Date().toISOString(), session_id: sid, data });
}

/** The headers of Standard Webhooks, as its own specification makes them. */
function signed(
  body: string,
  {
    id = `msg_${randomUUID()}`,
    timestamp = Math.floor(Date.now() / 1000),
    key = secret,
  }: { id?: string; timestamp?: number; key?: string } = {},
): Record<string, string> {
  const hmac = createHmac("sha256", Buffer.from(key.replace("whsec_", ""), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
