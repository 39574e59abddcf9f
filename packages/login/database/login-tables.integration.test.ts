import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { createConnectionConfig, migrate } from "../site/migrate.ts";
import { LOGIN_TABLES_VERSION, readLoginTableMigrations } from "./login-tables.ts";

const COLUMNS = `SELECT table_name, column_name, udt_name FROM information_schema.columns
  WHERE table_schema = 'svc_login' ORDER BY table_name, column_name`;

async function openDatabase() {
  const database = await createTestDatabase();
  const client = new pg.Client(createConnectionConfig(database.url));
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.close();
  });
  return { url: database.url, query: async (text: string) => (await client.query(text)).rows };
}

const migrations = readLoginTableMigrations();

test("migrates a database from every earlier version without losing its users", async () => {
  const { url, query } = await openDatabase();
  await migrate(url);
  const columns = await query(COLUMNS);
  for (const { name } of migrations.slice(0, -1)) {
    await query("DROP SCHEMA svc_login CASCADE");
    await query("CREATE SCHEMA svc_login; CREATE TABLE schema_version (version INTEGER PRIMARY KEY)");
    for (const [index, earlier] of migrations.filter((migration) => migration.name <= name).entries()) {
      await query(earlier.sql);
      await query(`INSERT INTO schema_version VALUES (${index + 1})`);
    }
    await query("INSERT INTO user_account (created_at) VALUES (now())");
    await migrate(url);
    expect([name, await query(COLUMNS)]).toEqual([name, columns]);
    expect([name, await query("SELECT id FROM user_account")]).toEqual([name, [{ id: 1 }]]);
  }
});

test("lets only one of several starting processes migrate at a time", async () => {
  const { url, query } = await openDatabase();
  await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  const versions = Array.from({ length: LOGIN_TABLES_VERSION }, (_, index) => ({ version: index + 1 }));
  expect(await query("SELECT version FROM schema_version ORDER BY version")).toEqual(versions);
  await query("INSERT INTO schema_version VALUES (9999)");
  await migrate(url);
  expect(await query("SELECT max(version) AS version FROM schema_version")).toEqual([{ version: 9999 }]);
});

test.each([
  ["approves_session", "approve"],
  ["adds_to_session", "add"],
  ["recovers", "recover"],
])(
  "preserves the intent of a code that a process of the previous release issued (%s)",
  async (column, intent) => {
    const { url, query } = await openDatabase();
    const asker = "00000000-0000-4000-8000-000000000001";
    const login = "SELECT intent, asked_by FROM login_session";
    await migrate(url);
    await query(`INSERT INTO login_session (sid, flow, created_at, challenged_at, ${column})
    VALUES ('sid', 'login', now(), now(), '${asker}')`);
    expect(await query(login)).toEqual([{ intent, asked_by: asker }]);
    await query(`UPDATE login_session SET ${column} = NULL`);
    expect(await query(login)).toEqual([{ intent: null, asked_by: null }]);
  },
);
