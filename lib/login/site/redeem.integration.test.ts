import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../scripts/kit/database.ts";
import { shutDown } from "../process/state.ts";
import { answeredLogin, SETTINGS } from "./answered-login.fixture.ts";
import { createLogin, type Login } from "./create-login.ts";

let database: TestDatabase;
let login: Login<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  login = createLogin(async () => ({
    ...SETTINGS,
    databaseUrl: database.url,
    findOrCreateUser: async ({ userId }) => `wallet-${userId}`,
  }));
  await login.start();
});
afterAll(async () => {
  await shutDown(async () => {});
  await database.close();
});

test("an answered login is redeemed once, by the browser that started it", async () => {
  const { sid, cookie } = await answeredLogin(login);
  const stranger = await answeredLogin(login);
  expect(await login.redeem(new Headers(), sid)).toBeNull();
  expect(await login.redeem(new Headers({ cookie: stranger.cookie }), sid)).toBeNull();
  const browser = new Headers({ cookie });
  const [first, second] = await Promise.all([login.redeem(browser, sid), login.redeem(browser, sid)]);
  expect([first, second].filter(Boolean)).toEqual([
    { userId: expect.stringMatching(/^wallet-\d+$/), browserSessionId: expect.any(String) },
  ]);
  expect(await login.redeem(browser, sid)).toBeNull();
});

test.each(["", "\0", "a'b", "é", "a".repeat(15_000)])("%j names no login", async (sid) => {
  const { cookie } = await answeredLogin(login);
  expect(await login.redeem(new Headers({ cookie }), sid)).toBeNull();
});
