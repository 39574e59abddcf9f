import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { pgDatabase } from "#lib/login/store/database.ts";
import { connectionTo, migrate } from "#lib/site/migrate.ts";
import { databaseStore } from "./database-store.ts";
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
