import { DATABASE_WAIT_SECONDS } from "#lib/login/protocol/numbers.ts";
import type { Database } from "#lib/login/store/database.ts";
import { DatabaseSilentError } from "./database-error.ts";
import { databaseWait } from "./database-wait.ts";

/** How long one request waits for the database, and for what a site does in its place. */
export const WAIT_MS = DATABASE_WAIT_SECONDS * 1000;

/**
 * Runs what has no time limit of its own, and gives it up when its request has waited long enough (docs/protocol.md#25-when-the-database-is-away).
 * @throws {DatabaseSilentError} then; the work itself goes on
 */
export async function withinWait<Value>(act: () => Promise<Value>): Promise<Value> {
  const wait = databaseWait();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseSilentError()), wait?.leftMs ?? WAIT_MS);
  });
  wait?.begin();
  try {
    return await Promise.race([act(), silence]);
  } finally {
    clearTimeout(timer);
    wait?.end();
  }
}

/** A database that has no time limits of its own, whose statements are given up when their request has waited long enough. */
export function patientDatabase(database: Database): Database {
  return { run: (statement, values) => withinWait(() => database.run(statement, values)) };
}
