import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { VirtualWallet } from "#lib/login/testing/virtual-wallet.ts";
import { shutDown } from "#lib/platform/shutdown.ts";
import { SETTINGS } from "./answered-login.fixture.ts";
import { createLogin, type Login, type SiteEvent } from "./index.ts";
import { connectionTo } from "./migrate.ts";
import { RECOVER, recovering, type SiteBrowser, signedIn, userWithCodes } from "./site-browser.fixture.ts";

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

/** A user whose recovery waits, in a browser of its own. */
async function pending() {
  const { browser: old, codes, userId } = await userWithCodes(login);
  const browser = await recovering(login, codes[0]);
  const wallet = new VirtualWallet();
  const { sid } = await browser.answered(RECOVER, wallet);
  expect(await browser.signIn(sid)).toBe(401);
  return { old, browser, wallet, userId, codes };
}

const statusOf = async (browser: SiteBrowser) => (await login.recovery.ofBrowser(browser.headers)).status;
const heardOf = (userId: unknown) =>
  events.filter((event) => event.userId === userId).map(({ kind }) => kind);

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

test("it takes effect when its time has come, and the page of the person who recovers says so", async () => {
  const { old, browser, wallet, userId } = await pending();
  const makeDue = "UPDATE recovery SET takes_effect_at = now() - interval '1 min' WHERE cancelled_at IS NULL";
  await client.query(makeDue);
  expect(await statusOf(browser)).toBe("finished");
  expect(await old.userId()).toBeNull();
  expect((await signedIn(login, wallet)).userId).toBe(userId);
  expect(heardOf(userId)).toContain("recovered");
});
