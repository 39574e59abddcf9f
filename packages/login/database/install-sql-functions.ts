import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { readSqlFiles } from "./read-sql-files.ts";
import { FUNCTIONS_SCHEMA } from "./sql-function.ts";

/**
 * An arbitrary number that other programs do not use. Processes that start at the same time install the functions one
 * after another.
 */
const LOCK = 7_395_203_119;

export type SqlFunctionSet = {
  readonly schema: string;
  /** These functions call functions in those schemas, which must already be installed. */
  readonly uses: readonly string[];
  readonly read: () => readonly string[];
};

/** The core's files come first, because the plugins' functions use types from them. */
export const LOGIN_FUNCTIONS: SqlFunctionSet = {
  schema: FUNCTIONS_SCHEMA,
  uses: [],
  read: () => [...readSqlFiles("sql/*.sql"), ...readSqlFiles("plugins/*/sql/*.sql")].map(({ sql }) => sql),
};

/**
 * Does nothing if exactly these functions are already installed. The functions use the tables that `client` finds first
 * on its search path. Functions of other versions are not removed, because other processes might call them.
 * @throws PostgreSQL's error, or an error if the functions already use the tables of a different schema. In both cases,
 * nothing has changed
 */
export async function installSqlFunctions(client: pg.ClientBase, functions = LOGIN_FUNCTIONS): Promise<void> {
  const { schema, uses, read } = functions;
  const scripts = read();
  const { rows } = await client.query<{ tables: string }>("SELECT current_schema() AS tables");
  const tables = rows[0]?.tables ?? "";
  const hash = createHash("sha256").update(scripts.join()).digest("hex");
  const expected: InstalledFunction = {
    hash,
    tables,
    functions: scripts.join().split("CREATE FUNCTION").length - 1,
  };
  if (isDeepStrictEqual(await findInstalled(client, schema), expected)) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const installed = await findInstalled(client, schema);
    if (!isDeepStrictEqual(installed, expected)) {
      if (installed) await assertNotUsed(client, schema, installed, tables);
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.query(`CREATE SCHEMA ${schema}`);
      const path = [schema, ...uses, `"${tables}"`].join(", ");
      await client.query("SELECT set_config('search_path', $1, true)", [path]);
      for (const script of scripts) await client.query(script);
      await grantUsage(client, schema, tables);
      await client.query(`COMMENT ON SCHEMA ${schema} IS '${hash} on ${tables}'`);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

export async function areSqlFunctionsInstalled(
  client: pg.ClientBase,
  { schema }: SqlFunctionSet,
): Promise<boolean> {
  return (await findInstalled(client, schema)) !== null;
}

type InstalledFunction = {
  hash: string;
  tables: string;
  /**
   * If a table is dropped, this number decreases, because PostgreSQL also drops the functions that use the table's row
   * type.
   */
  functions: number;
};

async function findInstalled(client: pg.ClientBase, schema: string): Promise<InstalledFunction | null> {
  const { rows } = await client.query<{ contents: string | null; functions: number }>(
    `SELECT obj_description(oid, 'pg_namespace') AS contents,
      (SELECT count(*)::int FROM pg_proc WHERE pronamespace = pg_namespace.oid) AS functions
    FROM pg_namespace WHERE nspname = $1`,
    [schema],
  );
  const [row] = rows;
  if (!row?.contents) return null;
  const [hash = "", tables = ""] = row.contents.split(" on ");
  return { hash, tables, functions: row.functions };
}

/** Each version creates a new functions schema, and therefore needs new grants. */
async function grantUsage(client: pg.ClientBase, schema: string, tables: string): Promise<void> {
  const { rows } = await client.query<{ role: string }>(
    `SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_namespace, aclexplode(nspacl)
    WHERE nspname = $1 AND privilege_type = 'USAGE' AND grantee <> nspowner`,
    [tables],
  );
  for (const { role } of rows) await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
}

/** @throws if the installed functions use the login's tables in a different schema, which belong to another site */
async function assertNotUsed(
  client: pg.ClientBase,
  schema: string,
  installed: InstalledFunction,
  tables: string,
): Promise<void> {
  if (installed.tables === tables) return;
  const { rows } = await client.query("SELECT to_regclass($1) AS found", [
    `"${installed.tables}".login_session`,
  ]);
  if (rows[0]?.found === null) return;
  throw new Error(
    `The functions of ${schema} serve the login's tables in the schema "${installed.tables}", not those in "${tables}". Use a database for each site.`,
  );
}
