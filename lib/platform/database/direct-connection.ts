import { formatStartupOptions } from "#packages/login/database/session-settings.ts";
import { env } from "../env.ts";

/** The schema of the application's tables, to which Prisma's queries refer. */
const SEARCH_PATH = { search_path: "public" };

/** `settings` are added to those that every connection has. */
export function createConnectionConfig(
  connectionString: string,
  settings: Readonly<Record<string, string>> = {},
) {
  return { connectionString, options: formatStartupOptions({ ...SEARCH_PATH, ...settings }) };
}

/** Bypasses any pooler. */
export function createDirectConnectionConfig() {
  return createConnectionConfig(env().DATABASE_DIRECT_URL);
}
