import { formatStartupOptions } from "#packages/login/database/session-settings.ts";
import { env } from "../env.ts";

/** The schema of the application's tables, which Prisma names in its queries. */
const SEARCH_PATH = { search_path: "public" };

/** Returns the options for a direct connection to PostgreSQL. `settings` are added to those of every connection. */
export function connectionConfig(connectionString: string, settings: Readonly<Record<string, string>> = {}) {
  return { connectionString, options: formatStartupOptions({ ...SEARCH_PATH, ...settings }) };
}

/** Returns the options for a connection to the application's database that bypasses a pooler. */
export function directConnectionConfig() {
  return connectionConfig(env().DATABASE_DIRECT_URL);
}
