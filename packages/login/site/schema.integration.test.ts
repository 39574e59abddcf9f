import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { diffSchemas } from "../../../scripts/database/diff-schemas.ts";
import { migrate as migrateApplication, SCHEMA } from "../../../scripts/database/migrate.ts";
import { loginModels } from "../../../scripts/template/login-models.ts";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { migrate } from "./migrate.ts";

const DATA_SOURCE = 'datasource db {\n  provider = "postgresql"\n  schemas = ["public", "svc_login"]\n}\n';

/** What the tables of a schema are made of, as PostgreSQL describes it. */
const columnsIn = (schema: string) =>
  `SELECT table_name, column_name, udt_name, is_nullable, datetime_precision, character_maximum_length
  FROM information_schema.columns WHERE table_schema = '${schema}' AND table_name <> 'schema_version'
  ORDER BY table_name, column_name`;
const LABELS = `SELECT typname, array_agg(enumlabel ORDER BY enumsortorder) AS labels
  FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid JOIN pg_namespace ON pg_namespace.oid = typnamespace
  WHERE nspname = 'svc_login' GROUP BY typname ORDER BY typname`;
/** Without those that Prisma cannot describe: with a condition. */
const INDEXES = `SELECT regexp_replace(indexdef, 'INDEX \\S+ ', 'INDEX ') AS index FROM pg_indexes
  WHERE schemaname = 'svc_login' AND tablename <> 'schema_version' AND indexdef NOT LIKE '% WHERE %' ORDER BY 1`;

/** A database that this has made tables in, and what reads it. */
async function made(make: (url: string, client: pg.Client) => Promise<unknown>) {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.close();
  });
  await make(database.url, client);
  return async (text: string) => (await client.query(text)).rows;
}

test("the package's schema.prisma describes the tables that the login makes", async () => {
  const migrated = await made((url) => migrate(url));
  const described = await made(async (url, client) => {
    const models = loginModels(readFileSync(SCHEMA, "utf8"));
    const script = await diffSchemas(url, undefined, DATA_SOURCE + models);
    await client.query(script ?? "");
  });
  expect((await migrated(columnsIn("svc_login"))).length).toBeGreaterThan(50);
  for (const text of [columnsIn("svc_login"), LABELS, INDEXES])
    expect(await described(text)).toEqual(await migrated(text));
});

test("the application's tables have every column that the package's statements name, of the same type", async () => {
  const own = await made((url) => migrate(url));
  const application = await made((url) => migrateApplication(url));
  // The ids that a site has given to its users: this application's users have the login's own.
  const shared = (await own(columnsIn("svc_login"))).filter(({ table_name }) => table_name !== "site_user");
  expect(shared.length).toBeGreaterThan(50);
  expect(await application(columnsIn("public"))).toEqual(expect.arrayContaining(shared));
});
