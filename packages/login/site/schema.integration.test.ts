import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { describeSchema } from "../../../scripts/database/describe-schema.ts";
import { migrate as migrateApplication, SCHEMA } from "../../../scripts/database/migrate.ts";
import { generateLoginModels } from "../../../scripts/template/login-models.ts";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { migrate } from "./migrate.ts";

const DATA_SOURCE = 'datasource db {\n  provider = "postgresql"\n  schemas = ["public", "svc_login"]\n}\n';

/** The compared schemas do not describe the migration histories. */
const HISTORIES = "('schema_version', '_prisma_migrations')";
const columnsIn = (schema: string) =>
  `SELECT table_name, column_name, udt_name, is_nullable, datetime_precision, character_maximum_length
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = '${schema}' AND table_type = 'BASE TABLE' AND table_name NOT IN ${HISTORIES}
  ORDER BY table_name, column_name`;
const labelsIn = (schema: string) => `SELECT typname, array_agg(enumlabel::text ORDER BY enumlabel) AS labels
  FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid JOIN pg_namespace ON pg_namespace.oid = typnamespace
  WHERE nspname = '${schema}' GROUP BY typname ORDER BY typname`;
/** Without indexes that have a condition, which Prisma cannot describe. */
const indexesIn = (
  schema: string,
) => `SELECT regexp_replace(indexdef, 'INDEX \\S+ ', 'INDEX ') AS index FROM pg_indexes
  WHERE schemaname = '${schema}' AND tablename NOT IN ${HISTORIES} AND indexdef NOT LIKE '% WHERE %' ORDER BY 1`;

async function prepareTables(make: (url: string, client: pg.Client) => Promise<unknown>) {
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

test("describes the login's tables correctly in the package's schema.prisma", async () => {
  const migrated = await prepareTables((url) => migrate(url));
  const description = await prepareTables(async (url, client) => {
    const models = generateLoginModels(readFileSync(SCHEMA, "utf8"));
    await client.query(await describeSchema(url, DATA_SOURCE + models));
  });
  expect((await migrated(columnsIn("svc_login"))).length).toBeGreaterThan(50);
  for (const describe of [columnsIn, labelsIn, indexesIn])
    expect(await description(describe("svc_login"))).toEqual(await migrated(describe("svc_login")));
});

test("describes the application's tables correctly in prisma/schema.prisma", async () => {
  const migrated = await prepareTables((url) => migrateApplication(url));
  const description = await prepareTables(async (url, client) => {
    await client.query(await describeSchema(url, readFileSync(SCHEMA, "utf8")));
  });
  expect((await migrated(columnsIn("public"))).length).toBeGreaterThan(100);
  for (const describe of [columnsIn, labelsIn, indexesIn])
    expect(await description(describe("public"))).toEqual(await migrated(describe("public")));
});

test("gives the application's login tables the same columns and types as a site's", async () => {
  const siteTables = await prepareTables((url) => migrate(url));
  const application = await prepareTables((url) => migrateApplication(url));
  const shared = await siteTables(columnsIn("svc_login"));
  expect(shared.length).toBeGreaterThan(50);
  expect(await application(columnsIn("public"))).toEqual(expect.arrayContaining(shared));
  const versions = "SELECT version FROM schema_version ORDER BY version";
  expect(await application(versions)).toEqual(
    await siteTables(versions.replace("schema_v", "svc_login.schema_v")),
  );
});
