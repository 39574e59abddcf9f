import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../tools/kit/database.ts";
import { migrate } from "../site/migrate.ts";
import { FUNCTIONS_SCHEMA } from "./sql-function.ts";

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await migrate(database.url);
});
afterEach(async () => {
  await client.end();
  await database.close();
});

const FUNCTIONS = `SELECT pg_proc.oid::regprocedure::text AS name FROM pg_proc
  JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = $1 ORDER BY 1`;
const functions = async () =>
  (await client.query<{ name: string }>(FUNCTIONS, [FUNCTIONS_SCHEMA])).rows.map(({ name }) => name);
const OID = "SELECT oid FROM pg_namespace WHERE nspname = $1";
const schemaId = async () => (await client.query(OID, [FUNCTIONS_SCHEMA])).rows[0]?.oid;

describe("the SQL functions", () => {
  test("are left unchanged when a process with the same functions starts", async () => {
    const [installed, id] = [await functions(), await schemaId()];
    await migrate(database.url);
    expect([await functions(), await schemaId()]).toEqual([installed, id]);
  });

  test("are installed again if a file has changed or a dropped table has removed them", async () => {
    const installed = await functions();
    await client.query(`COMMENT ON SCHEMA ${FUNCTIONS_SCHEMA} IS 'other files on svc_login'`);
    await client.query(`CREATE FUNCTION ${FUNCTIONS_SCHEMA}.left_over() RETURNS int RETURN 1`);
    await migrate(database.url);
    expect(await functions()).toEqual(installed);

    await client.query("DROP SCHEMA svc_login CASCADE");
    expect((await functions()).length).toBeLessThan(installed.length);
    await migrate(database.url);
    expect(await functions()).toEqual(installed);
  });

  test("serve the tables of only one schema, so a site that uses another schema does not start", async () => {
    const id = await schemaId();
    await client.query(`COMMENT ON SCHEMA ${FUNCTIONS_SCHEMA} IS 'the same files on other'`);
    await client.query("CREATE SCHEMA other; CREATE TABLE other.login_session (sid TEXT)");
    await expect(migrate(database.url)).rejects.toThrow(
      /serve the login's tables in the schema "other", not those in "svc_login"/,
    );
    expect(await schemaId()).toBe(id);
    await client.query("DROP SCHEMA other CASCADE");
    await migrate(database.url);
    expect(await schemaId()).not.toBe(id);
  });

  test("can be executed by the roles that may use the tables' schema", async () => {
    const role = `svc_test_${randomBytes(6).toString("hex")}`;
    await client.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA svc_login TO ${role}`);
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA svc_login TO ${role}`);
    await client.query(`COMMENT ON SCHEMA ${FUNCTIONS_SCHEMA} IS 'other files on svc_login'`);
    await migrate(database.url);
    await client.query(`SET ROLE ${role}`);
    const found = client.query(`SELECT status FROM ${FUNCTIONS_SCHEMA}.check_login('nothing')`);
    const rows = await found.then((result) => result.rows).catch((error) => error.message);
    await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect(rows).toEqual([{ status: null }]);
  });
});
