import { join } from "node:path";
import { type Env, provideEnv } from "#lib/platform/env.ts";
import { readOrCreateSecret } from "#packages/login/site/read-login-env.ts";
import { openEmbeddedDatabase } from "#packages/postgres/embedded.ts";
import { assertMigrated, migrate } from "../database/migrate.ts";

/** The repository. */
export const ROOT = join(import.meta.dirname, "..", "..");
/** The folder for the application's generated data. */
const DATA = join(ROOT, ".data");

type OpenDatabase = {
  /** The migrations that were applied just now, oldest first. */
  applied: string[];
  /** Leaves the database. Close your own connections before. An embedded server stops with its last user. */
  close(): Promise<void>;
};

/**
 * Prepares what every command needs that runs the application's own code: the database, migrated, and the
 * configuration, provided to the process.
 * @param config as `parseEnv` returns it. If MIGRATE_ON_START is false, a database that lacks a migration is refused
 * @param say gets a sentence when something takes a while
 * @returns the database, to be closed last
 * @throws {Error} with a message for the operator
 */
export async function prepareRuntime(config: Env, print: (text: string) => void): Promise<OpenDatabase> {
  // Migrations need an advisory lock and send a script as one message, and neither works through a pooler.
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const { url, close } =
    directUrl === undefined
      ? await openEmbeddedDatabase({ root: DATA, log: print })
      : { url: directUrl, close: async () => {} };
  try {
    if (!config.MIGRATE_ON_START) await assertMigrated(url);
    const applied = config.MIGRATE_ON_START ? await migrate(url, { log: print }) : [];
    provideEnv({
      ...config,
      DATABASE_URL: config.DATABASE_URL ?? url,
      DATABASE_DIRECT_URL: url,
      NEXTAUTH_SECRET: config.NEXTAUTH_SECRET ?? readOrCreateSecret(DATA),
    });
    return { applied, close };
  } catch (error) {
    await close();
    throw error;
  }
}
