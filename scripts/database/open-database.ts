/**
 * The application's database, at the schema of this version.
 */
import { openEmbeddedDatabase } from "#lib/postgres/embedded.ts";
import { assertMigrated, migrate } from "./migrate.ts";

export interface OpenDatabase {
  url: string;
  /** Whether it is the one that the application brings. */
  embedded: boolean;
  /** The migrations that were applied now, oldest first. */
  applied: string[];
  /** Leaves it; the caller's own connections must be ended before. An embedded server stops with its last user. */
  close(): Promise<void>;
}

/**
 * Opens the embedded database, or the one named, and migrates it.
 *
 * @param root the `.data` folder
 * @param databaseUrl the value of DATABASE_URL, if set
 * @param migrates false where migrating is a step of its own: then a database that lacks a migration is refused
 * @param log gets a sentence when something takes a while
 * @throws {Error} with a message for the operator
 */
export async function openDatabase({
  root,
  databaseUrl,
  migrates = true,
  log,
}: {
  root: string;
  databaseUrl?: string | undefined;
  migrates?: boolean;
  log: (message: string) => void;
}): Promise<OpenDatabase> {
  const database =
    databaseUrl === undefined
      ? await openEmbeddedDatabase({ root, log })
      : { url: databaseUrl, close: async () => {} };
  try {
    if (!migrates) await assertMigrated(database.url);
    const applied = migrates ? await migrate(database.url, { log }) : [];
    return { ...database, embedded: databaseUrl === undefined, applied };
  } catch (error) {
    await database.close();
    throw error;
  }
}
