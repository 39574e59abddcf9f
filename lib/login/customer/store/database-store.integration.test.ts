import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/kit/database.ts";
import { hashSecret, newSecret } from "../../server/random.ts";
import { connectionTo, migrate } from "../../site/migrate.ts";
import { pgDatabase } from "../../store/database.ts";
import { redeemLogin } from "../../store/redeem-login.ts";
import { databaseStore, HOSTED_LOGINS } from "./database-store.ts";
import { testHostedStore } from "./hosted-store.fixture.ts";
import type { HostedStore } from "./hosted-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let store: HostedStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  pool = new pg.Pool({ ...connectionTo(database.url), max: 8 });
  store = databaseStore(pgDatabase(pool));
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

describe("the store in PostgreSQL", () => testHostedStore(() => store));

test("a redeemed login gives a new key a user, and a known key the same one, told as a number", async () => {
  const publicKey = `04${randomUUID().replaceAll("-", "").repeat(4)}`;
  const now = new Date();
  const redeem = async () => {
    const [sid, browserHash] = [randomUUID(), hashSecret(newSecret())];
    await store.start({ now, sid, browserHash: null, newBrowserHash: browserHash });
    await store.answer({ now, sid, eventId: randomUUID(), publicKey, authenticatedAt: now });
    return redeemLogin(pgDatabase(pool), HOSTED_LOGINS.statement, {
      ...{ now, sid, browserHash, browserSessionId: randomUUID(), expiresAt: new Date(Date.now() + 60_000) },
      ...{ userAgent: null, currentSessionId: null, continues: false },
    });
  };
  const first = await redeem();
  expect(first).toEqual({ userId: expect.any(Number) });
  expect(await redeem()).toEqual(first);
});
