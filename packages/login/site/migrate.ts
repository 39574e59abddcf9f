import pg from "pg";
import { installFunctions } from "../database/install-functions.ts";
import { sessionOptions } from "../database/session-settings.ts";
import { type Database, statement } from "../store/database.ts";
import { ConfigurationError } from "./env-values.ts";
import { VERSIONS } from "./tables.ts";

/** The schema that holds the login's tables, alongside whatever the site keeps in `public`. */
export const SCHEMA = "svc_login";

const CONNECT_TIMEOUT_MS = 10_000;
/** A database that hangs fails the start, and the next request tries again. */
const QUERY_TIMEOUT_MS = 60_000;
/** Any number that no other program locks: processes that start at the same time migrate one after the other. */
const LOCK = 7_395_203_118;

/** The options with which a site opens its own connections for the login's statements. */
const CONNECTION_OPTIONS = `-c search_path=${SCHEMA},public -c timezone=UTC`;

/** A connection on which the login's tables are found by their bare names. */
export function connectionTo(databaseUrl: string) {
  return { connectionString: databaseUrl, options: sessionOptions({ search_path: SCHEMA }) };
}

/**
 * Creates the login's tables and functions, or brings them to this version. A database of a later version is left as it is, and still
 * serves this version while a newer process starts alongside it.
 * @throws PostgreSQL's error; nothing has changed then
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(databaseUrl),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await migrateTables(client);
    await installFunctions(client);
  } finally {
    // Closing it rolls back what was not committed.
    await client.end();
  }
}

async function migrateTables(client: pg.Client): Promise<void> {
  if ((await versionOf(client)) >= VERSIONS.length) return;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await client.query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)");
  const version = await versionOf(client);
  for (const [index, text] of VERSIONS.entries()) {
    if (index < version) continue;
    await client.query(text);
    await client.query("INSERT INTO schema_version VALUES ($1)", [index + 1]);
  }
  await client.query("COMMIT");
}

async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass($1) AS found", [`${SCHEMA}.schema_version`]);
  if (rows[0]?.found === null) return 0;
  return (await client.query("SELECT COALESCE(max(version), 0) AS version FROM schema_version")).rows[0]
    .version;
}

const FIND_TABLES = statement({
  name: "find-login-tables",
  select: `SELECT to_regclass('login_session') = to_regclass('${SCHEMA}.login_session') AS "foundFirst",
      to_regclass('${SCHEMA}.schema_version') IS NOT NULL AS migrated, current_setting('TimeZone') AS zone`,
});
const READ_VERSION = statement({
  name: "read-login-version",
  select: `SELECT max(version) AS version FROM ${SCHEMA}.schema_version`,
});

/**
 * Checks that a site's own connections find the login's tables, in this version, and use UTC.
 * @throws {ConfigurationError} with what to change
 */
export async function assertTables(database: Database): Promise<void> {
  type Tables = { foundFirst: boolean | null; migrated: boolean; zone: string };
  const [tables] = await database.run<Tables>(FIND_TABLES, []);
  const [current] = tables?.migrated ? await database.run<{ version: number }>(READ_VERSION, []) : [];
  if ((current?.version ?? 0) < VERSIONS.length) {
    throw new ConfigurationError(
      "database: the login's tables are missing or of an older version. Run migrate(databaseUrl) first.",
    );
  }
  if (!tables?.foundFirst || !/^(Etc\/)?(UTC|UCT|GMT)$/i.test(tables.zone)) {
    throw new ConfigurationError(
      `database: its connections have to be opened with the options "${CONNECTION_OPTIONS}".`,
    );
  }
}
