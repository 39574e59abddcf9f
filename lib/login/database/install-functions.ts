import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { FUNCTIONS_SCHEMA } from "../store/sql-function.ts";

/** Any number that no other program locks: processes that start at the same time install one after the other. */
const LOCK = 7_395_203_119;

/**
 * Installs the login's SQL functions in the schema of this version, where they are missing or differ. They use the
 * tables that `client` finds first on its search path. Functions of other versions stay, for processes that call them.
 * @throws PostgreSQL's error; nothing has changed then
 */
export async function installFunctions(client: pg.ClientBase): Promise<void> {
  const scripts = readScripts();
  const { rows } = await client.query<{ tables: string }>("SELECT current_schema() AS tables");
  const tables = rows[0]?.tables;
  const contents = `${createHash("sha256").update(scripts.join()).digest("hex")} on ${tables}`;
  if ((await installedContents(client)) === contents) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    if ((await installedContents(client)) !== contents) {
      await client.query(`DROP SCHEMA IF EXISTS ${FUNCTIONS_SCHEMA} CASCADE`);
      await client.query(`CREATE SCHEMA ${FUNCTIONS_SCHEMA}`);
      await client.query("SELECT set_config('search_path', $1, true)", [`${FUNCTIONS_SCHEMA}, "${tables}"`]);
      for (const script of scripts) await client.query(script);
      await client.query(`COMMENT ON SCHEMA ${FUNCTIONS_SCHEMA} IS '${contents}'`);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Whether the functions of this version are installed. */
export async function areFunctionsInstalled(client: pg.ClientBase): Promise<boolean> {
  return (await installedContents(client)) !== null;
}

/** What the schema of this version holds, as its comment says; null if it is missing. */
async function installedContents(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query(
    "SELECT obj_description(oid, 'pg_namespace') AS contents FROM pg_namespace WHERE nspname = $1",
    [FUNCTIONS_SCHEMA],
  );
  return rows[0]?.contents ?? null;
}

/**
 * The package's `.sql` files: those of the core, whose types the plugins use, come first. Sites bundle this file, and
 * bundlers set only the URL of `import.meta`; its dirname is undefined in what Turbopack builds.
 */
function readScripts(): string[] {
  const cwd = join(dirname(fileURLToPath(import.meta.url)), "..");
  const files = [...globSync("sql/*.sql", { cwd }).sort(), ...globSync("*/sql/*.sql", { cwd }).sort()];
  return files.map((file) => readFileSync(join(cwd, file), "utf8"));
}
