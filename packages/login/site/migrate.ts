import pg from "pg";
import type { Database, Statement } from "../database/database.ts";
import { installFunctions } from "../database/install-functions.ts";
import { migrateLoginTables, TABLES_VERSION } from "../database/login-tables.ts";
import { formatStartupOptions } from "../database/session-settings.ts";
import { ConfigurationError } from "./options.ts";

/** The schema of the login's tables. The site's own tables can stay in `public`. */
export const SCHEMA = "svc_login";

const CONNECT_TIMEOUT_MS = 10_000;
/** If the database hangs for this long, startup fails and the next request tries again. */
const QUERY_TIMEOUT_MS = 60_000;

/** The options with which a site opens its own connections for the login's statements. */
const CONNECTION_OPTIONS = `-c search_path=${SCHEMA},public -c timezone=UTC`;

/** Returns a connection whose search path finds the login's tables without a schema name. */
export function connectionConfig(databaseUrl: string) {
  return { connectionString: databaseUrl, options: formatStartupOptions({ search_path: SCHEMA }) };
}

/**
 * Creates the login's tables and functions, or brings them to this version. A database of a later version is not
 * changed, and still works with this version.
 * @throws {Error} that names the migration that failed, which was rolled back
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    ...connectionConfig(databaseUrl),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await migrateLoginTables(client, SCHEMA);
    await installFunctions(client);
  } finally {
    // Closing the connection rolls back an open transaction.
    await client.end();
  }
}

const FIND_TABLES: Statement = {
  name: "find-login-tables",
  text: `SELECT to_regclass('login_session') = to_regclass('svc_login.login_session') AS "foundFirst",
      to_regclass('svc_login.schema_version') IS NOT NULL AS migrated, current_setting('TimeZone') AS zone`,
};
const READ_VERSION: Statement = {
  name: "read-login-version",
  text: "SELECT max(version) AS version FROM svc_login.schema_version",
};

/**
 * Checks that a site's own connections find the login's tables, in this version, and use UTC.
 * @throws {ConfigurationError} with what to change
 */
export async function assertTables(database: Database): Promise<void> {
  type Tables = { foundFirst: boolean | null; migrated: boolean; zone: string };
  const [tables] = await database.run<Tables>(FIND_TABLES, []);
  const [current] = tables?.migrated ? await database.run<{ version: number }>(READ_VERSION, []) : [];
  if ((current?.version ?? 0) < TABLES_VERSION) {
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
