import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/kit/database.ts";
import { createHostedLogin } from "../hosted.ts";
import { shutDown } from "../process/state.ts";
import { createLogin, type Login } from "./create-login.ts";
import { connectionTo } from "./migrate.ts";
import {
  recovering,
  SETTINGS,
  SiteBrowser,
  signedIn,
  userWithCodes,
  waitingRecovery,
} from "./tests/site.fixture.ts";

/** What a site does beside requests. Its intervals are moved on here; all other timers go on as they are. */

const MINUTE_MS = 60_000;

let database: TestDatabase;
let client: pg.Client;

/** Starts a site whose intervals stand still. */
async function begin(makeLogin: (databaseUrl: string) => Pick<Login, "start">): Promise<void> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  database = await createTestDatabase();
  await makeLogin(database.url).start();
  client = new pg.Client(connectionTo(database.url));
  await client.connect();
}

async function end(): Promise<void> {
  await client.end();
  await shutDown(async () => {});
  vi.useRealTimers();
  await database.close();
  // A process has one login.
  forgetProcess();
}

async function idsOf(table: string, id: string, condition = "true", value?: unknown): Promise<unknown[]> {
  const { rows } = await client.query({
    text: `SELECT ${id} AS id FROM ${table} WHERE ${condition} ORDER BY 1`,
    values: value === undefined ? [] : [value],
  });
  return rows.map((row) => row.id);
}

describe("a site", () => {
  let login: Login;
  beforeAll(() =>
    begin((databaseUrl) => {
      login = createLogin(async () => ({ ...SETTINGS, databaseUrl, recoveryDelayHours: 24 }));
      return login;
    }),
  );
  afterAll(end);

  test("deletes what has ended every five minutes, and keeps a session that was unseen for days", async () => {
    const [expired, unseen] = [await signedIn(login), await signedIn(login)];
    const { sid } = await (await new SiteBrowser(login).send("GET", "/api/svc/qr")).json();
    const age = "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1";
    await client.query(age, [expired.userId]);
    const leave = "UPDATE browser_session SET last_seen_at = now() - interval '2 days' WHERE user_id = $1";
    await client.query(leave, [unseen.userId]);
    const abandon = "UPDATE login_session SET challenged_at = now() - interval '25 hours' WHERE sid = $1";
    await client.query(abandon, [sid]);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const left = async () => [
      ...(await idsOf("browser_session", "id", "user_id = $1", expired.userId)),
      ...(await idsOf("login_session", "sid", "sid = $1", sid)),
    ];
    await expect.poll(left).toEqual([]);
    expect(await unseen.browser.userId()).toBe(unseen.userId);
  });

  test("has a recovery take effect whose time has come, though its browser is gone", async () => {
    const { old, userId, wallet } = await waitingRecovery(login);
    const makeDue = "UPDATE recovery SET takes_effect_at = now() - interval '1 min' WHERE user_id = $1";
    await client.query(makeDue, [userId]);
    vi.advanceTimersByTime(MINUTE_MS);
    const open = () => idsOf("recovery", "id", "user_id = $1 AND finished_at IS NULL", userId);
    await expect.poll(open).toEqual([]);
    expect(await old.userId()).toBeNull();
    expect(await idsOf("credential", "value", "user_id = $1", userId)).toContain(wallet.publicKey);
  });

  test("deletes a recovery that came to nothing, and keeps one that waits", async () => {
    const waiting = await waitingRecovery(login);
    const abandoned = await userWithCodes(login);
    await recovering(login, abandoned.codes[0]);
    const expire = "UPDATE recovery SET expires_at = now() - interval '1 min' WHERE user_id = ANY($1)";
    await client.query(expire, [[waiting.userId, abandoned.userId]]);
    vi.advanceTimersByTime(MINUTE_MS);
    await expect.poll(() => idsOf("recovery", "id", "user_id = $1", abandoned.userId)).toEqual([]);
    expect(await idsOf("recovery", "id", "user_id = $1", waiting.userId)).toHaveLength(1);
  });
});

describe("a customer's site", () => {
  beforeAll(() =>
    begin((databaseUrl) =>
      createHostedLogin(async () => ({
        ...{ ...SETTINGS, databaseUrl, apiUrl: new URL("http://localhost:1/sandbox/v1") },
        ...{ apiKey: "svc_test_none", webhookSecrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] },
      })),
    ),
  );
  afterAll(end);

  test("deletes logins a day after they began", async () => {
    const add = "INSERT INTO hosted_login (session_id, created_at) VALUES ($1, now() - $2::interval)";
    const [old, young] = [crypto.randomUUID(), crypto.randomUUID()];
    await client.query(add, [old, "25 hours"]);
    await client.query(add, [young, "23 hours"]);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const kept = () => idsOf("hosted_login", "session_id", "session_id = ANY($1)", [old, young]);
    await expect.poll(kept).toEqual([young]);
  });
});
