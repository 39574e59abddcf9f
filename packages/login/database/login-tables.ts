import type pg from "pg";
import { readSqlFiles, type SqlFile } from "./read-sql-files.ts";
import { findMissingMigrations, type MigrationHistory, runMigrations } from "./run-migrations.ts";

/**
 * Never change a released migration, because databases have already run it. Add a new migration instead. Processes of
 * the previous release might still be running, so a migration must not remove anything that a released version uses.
 */
export const readLoginTableMigrations = (): SqlFile[] => readSqlFiles("tables/*.sql");

const versionOf = ({ name }: SqlFile) => Number.parseInt(name, 10);

/** A constant, because processes that do not run migrations do not have the migration files. */
export const LOGIN_TABLES_VERSION = 13;

/** @param schema must come first in the connection's search path */
const historyIn = (schema: string): MigrationHistory => ({
  lock: 7_395_203_118,
  create: (client) =>
    client.query(
      `CREATE SCHEMA IF NOT EXISTS ${schema}; CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)`,
    ),
  async findApplied(client, migrations) {
    const { rows } = await client.query("SELECT to_regclass($1) AS found", [`${schema}.schema_version`]);
    if (rows[0]?.found === null) return new Set();
    const versions = (await client.query<{ version: number }>("SELECT version FROM schema_version")).rows;
    const applied = versions.map(({ version }) => version);
    return new Set(
      migrations.filter((migration) => applied.includes(versionOf(migration))).map(({ name }) => name),
    );
  },
  note: (client, migration) => client.query("INSERT INTO schema_version VALUES ($1)", [versionOf(migration)]),
});

/**
 * @returns the names of the migrations that were applied
 * @throws {Error} if a migration fails; the message contains the migration's name
 */
export function migrateLoginTables(client: pg.ClientBase, schema: string): Promise<string[]> {
  return runMigrations(client, readLoginTableMigrations(), historyIn(schema));
}

export async function findMissingTableMigrations(client: pg.ClientBase, schema: string): Promise<string[]> {
  const missing = await findMissingMigrations(client, readLoginTableMigrations(), historyIn(schema));
  return missing.map(({ name }) => name);
}
