import pg from "pg";
import type { Database, Statement } from "../database/database.ts";
import { installSqlFunctions } from "../database/install-sql-functions.ts";
import { LOGIN_TABLES_VERSION, migrateLoginTables } from "../database/login-tables.ts";
import { formatStartupOptions } from "../database/session-settings.ts";
import { ConfigurationError } from "./options.ts";

/** The site's own tables can stay in `public`. */
export const LOGIN_SCHEMA = "svc_login";

const CONNECT_TIMEOUT_MS = 10_000;
/** If the database hangs for this long, starting the site fails and the next request tries again. */
const QUERY_TIMEOUT_MS = 60_000;

/** For a site that runs the login's statements on its own connections. */
const CONNECTION_OPTIONS = `-c search_path=${LOGIN_SCHEMA},public -c timezone=UTC`;

export function createConnectionConfig(databaseUrl: string) {
  return { connectionString: databaseUrl, options: formatStartupOptions({ search_path: LOGIN_SCHEMA }) };
}

/**
 * A database that a later version has updated is not changed, and still works with this version.
 * @throws {Error} naming the migration that failed and was rolled back
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    ...createConnectionConfig(databaseUrl),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await migrateLoginTables(client, LOGIN_SCHEMA);
    await installSqlFunctions(client);
  } finally {
    // Closing the connection rolls back any open transaction.
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
 * The site's own connections must find this version of the login's tables and use UTC.
 * @throws {ConfigurationError} describing what to change
 */
export async function assertTables(database: Database): Promise<void> {
  type Tables = { foundFirst: boolean | null; migrated: boolean; zone: string };
  const [tables] = await database.run<Tables>(FIND_TABLES, []);
  const [current] = tables?.migrated ? await database.run<{ version: number }>(READ_VERSION, []) : [];
  if ((current?.version ?? 0) < LOGIN_TABLES_VERSION) {
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
