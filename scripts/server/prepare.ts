import { join } from "node:path";
import { type Env, setEnv } from "#lib/platform/env.ts";
import { readOrCreateSecret } from "#packages/login/site/read-login-env.ts";
import { openEmbeddedDatabase } from "#packages/postgres/embedded.ts";
import { assertMigrated, migrate } from "../database/migrate.ts";

export const ROOT = join(import.meta.dirname, "..", "..");
const DATA = join(ROOT, ".data");

type OpenDatabase = {
  /** Applied by this call, oldest first. */
  applied: string[];
  /**
   * Releases the database. Close your own connections first. An embedded server stops when its last user releases it.
   */
  close(): Promise<void>;
};

/**
 * What every command needs to run the application's own code.
 * @param config the result of `parseEnv`; if MIGRATE_ON_START is false, a database without all migrations is refused
 * @param print receives a sentence when something takes a while
 * @returns the database, which must be closed last
 * @throws {Error} with a message for the operator
 */
export async function prepareRuntime(config: Env, print: (text: string) => void): Promise<OpenDatabase> {
  // Migrations need an advisory lock and send each script as one message. Neither works through a pooler.
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const { url, close } =
    directUrl === undefined
      ? await openEmbeddedDatabase({ root: DATA, log: print })
      : { url: directUrl, close: async () => {} };
  try {
    if (!config.MIGRATE_ON_START) await assertMigrated(url);
    const applied = config.MIGRATE_ON_START ? await migrate(url, { log: print }) : [];
    setEnv({
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
