import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../scripts/kit/database.ts";
import { removeWaysBefore } from "../account/store/credential.ts";
import { createLogin, type Login, type SiteEvent } from "../index.ts";
import { shutDown } from "../process/state.ts";
import { cancelRecoveries } from "../recovery/store/recovery.ts";
import { replaceCodes } from "../recovery/store/recovery-code.ts";
import { pgDatabase } from "../store/database.ts";
import { SETTINGS } from "./answered-login.fixture.ts";
import { connectionTo } from "./migrate.ts";
import { type SiteBrowser, waitingRecovery } from "./site-browser.fixture.ts";

/** A site with users of its own, where a recovery waits a day. */

const events: SiteEvent[] = [];
const failures: string[] = [];

let database: TestDatabase;
let client: pg.Client;
let login: Login<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  login = createLogin(async () => ({
    ...SETTINGS,
    databaseUrl: database.url,
    recoveryDelayHours: 24,
    findOrCreateUser: async ({ userId }) => `customer-${userId}`,
    onEvent: (event) => {
      events.push(event);
      throw new Error("the site's own mistake");
    },
    onFailure: (message) => failures.push(message),
  }));
  await login.start();
  client = new pg.Client(connectionTo(database.url));
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await shutDown(async () => {});
  await database.close();
});

const pending = () => waitingRecovery(login);
const statusOf = async (browser: SiteBrowser) => (await login.recovery.ofBrowser(browser.headers)).status;
const heardOf = (userId: unknown) =>
  events.filter((event) => event.userId === userId).map(({ kind }) => kind);
/** The login's own number of a user whom the site calls otherwise. */
const loginIdOf = (userId: unknown) => Number(String(userId).replace("customer-", ""));

async function historyOf(userId: unknown): Promise<string[]> {
  const ofUser = "SELECT kind FROM login_event WHERE user_id = $1 ORDER BY id";
  return (await client.query(ofUser, [loginIdOf(userId)])).rows.map(({ kind }) => kind);
}

test("a recovery waits, every signed-in browser can see and cancel it, and the site hears of it by its own ids", async () => {
  const { old, browser, userId } = await pending();
  expect(await login.recovery.ofBrowser(browser.headers)).toMatchObject({ status: "pending", userId });
  expect([await browser.userId(), await old.userId()]).toEqual([null, userId]);
  expect((await login.recovery.ofAccount(old.headers))?.pending).toMatchObject({ browser: "Firefox" });
  expect((await browser.send("DELETE", "/api/account/recovery")).status).toBe(401);
  expect((await old.send("DELETE", "/api/account/recovery")).status).toBe(204);
  expect(await statusOf(browser)).toBe("cancelled");
  expect((await login.recovery.ofAccount(old.headers))?.pending).toBeNull();
  expect(heardOf(userId)).toEqual([
    "recovery_codes_made",
    "recovery_opened",
    "recovery_pending",
    "recovery_cancelled",
  ]);
  // What the site throws is told to the site, and stops nothing.
  expect(failures).toContain("onEvent failed for recovery_pending");
});

test("new codes cancel it too, which the history and the site are told", async () => {
  const { old, browser, userId } = await pending();
  expect((await old.send("POST", "/api/account/recovery-codes", {})).status).toBe(201);
  expect(await statusOf(browser)).toBe("cancelled");
  const told = ["recovery_pending", "recovery_cancelled", "recovery_codes_made"];
  expect(heardOf(userId).slice(-3)).toEqual(told);
  expect((await historyOf(userId)).slice(-3).toSorted()).toEqual(told.toSorted());
  // Where nothing waits, there is nothing to tell.
  expect((await old.send("POST", "/api/account/recovery-codes", {})).status).toBe(201);
  expect(heardOf(userId).slice(-2)).toEqual(["recovery_codes_made", "recovery_codes_made"]);
  expect((await historyOf(userId)).filter((kind) => kind === "recovery_cancelled")).toHaveLength(1);
});

test.each([
  ["that the database comes to too late", { lateMs: 11_000, agedMinutes: 0, ended: false }],
  ["of a session whose approval is too old by then", { lateMs: 0, agedMinutes: 11, ended: false }],
  ["of a session that has ended by then", { lateMs: 0, agedMinutes: 0, ended: true }],
])("new codes %s change nothing, and are recorded nowhere", async (_, { lateMs, agedMinutes, ended }) => {
  const { old, browser, userId, codes } = await pending();
  const before = await historyOf(userId);
  const asker = {
    ...{ now: new Date(Date.now() - lateMs), userId: loginIdOf(userId) },
    ...{ sessionId: (await login.currentSession(old.headers))?.id ?? "", userAgent: null },
  };
  await client.query(
    "UPDATE browser_session SET created_at = created_at - $2 * interval '1 min' WHERE id = $1",
    [asker.sessionId, agedMinutes],
  );
  const database = pgDatabase(client);
  const codesThen = {
    macs: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
    keyId: new Uint8Array(8),
  };
  if (ended) asker.sessionId = crypto.randomUUID();
  expect(await replaceCodes(database, asker, codesThen)).toBeNull();
  expect(await cancelRecoveries(database, asker)).toBe(agedMinutes > 0);
  expect(await removeWaysBefore(database, asker)).toBe(false);
  expect(await statusOf(browser)).toBe(agedMinutes > 0 ? "cancelled" : "pending");
  expect((await historyOf(userId)).filter((kind) => kind !== "recovery_cancelled")).toEqual(before);
  const check = await old.send("POST", "/api/account/recovery-codes/check", { code: codes[1] });
  expect(check.status).toBe(200);
});

test("it takes effect a day after its key was chosen", async () => {
  const { userId } = await pending();
  const left =
    "SELECT extract(epoch FROM takes_effect_at - now())::int AS seconds FROM recovery WHERE user_id = $1";
  const { seconds } = (await client.query(left, [loginIdOf(userId)])).rows[0];
  expect(Math.abs(seconds - 24 * 3600)).toBeLessThan(60);
});

test("it takes effect when its time has come, and the page of the person who recovers says so", async () => {
  const { old, browser, wallet, userId } = await pending();
  const makeDue = "UPDATE recovery SET takes_effect_at = now() - interval '1 min' WHERE cancelled_at IS NULL";
  await client.query(makeDue);
  expect(await statusOf(browser)).toBe("finished");
  expect(await old.userId()).toBeNull();
  const { sid } = await browser.answered("mode=login", wallet);
  expect(await browser.signIn(sid)).toBe(200);
  expect(await browser.userId()).toBe(userId);
  expect(heardOf(userId)).toContain("recovered");
});
