import { join } from "node:path";
import { keptSecret } from "#lib/login/site/read-login-env.ts";
import { type Env, provideEnv } from "#lib/platform/env.ts";
import { type OpenDatabase, openDatabase } from "../database/open-database.ts";

/** The repository, and the folder that holds what the application makes. */
export const ROOT = join(import.meta.dirname, "..", "..");
export const DATA = join(ROOT, ".data");

/**
 * What every command that runs the application's own code needs first: the database, migrated, and the
 * configuration provided to the process.
 * @param config as `parseEnv` gives it
 * @param say gets a sentence when something takes a while
 * @returns the database, to be closed last
 * @throws {Error} with a message for the operator
 */
export async function prepareRuntime(config: Env, say: (text: string) => void): Promise<OpenDatabase> {
  const database = await openDatabase({
    root: DATA,
    // An advisory lock and a script as one message are nothing for a pooler between the two.
    databaseUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    migrates: config.MIGRATE_ON_START,
    log: say,
  });
  const NEXTAUTH_SECRET = config.NEXTAUTH_SECRET ?? keptSecret(DATA);
  provideEnv({
    ...config,
    DATABASE_URL: config.DATABASE_URL ?? database.url,
    DATABASE_DIRECT_URL: database.url,
    NEXTAUTH_SECRET,
  });
  return database;
}
