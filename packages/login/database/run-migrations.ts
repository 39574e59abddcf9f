import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { SqlFile } from "./read-sql-files.ts";

export type MigrationHistory = {
  readonly lock: number;
  create(client: pg.ClientBase): Promise<unknown>;
  /** Empty if there is no history yet. */
  findApplied(client: pg.ClientBase, migrations: readonly SqlFile[]): Promise<Set<string>>;
  note(client: pg.ClientBase, migration: SqlFile): Promise<unknown>;
};

/**
 * A deadlock, or a lock that did not become free in time. The conflicting requests continue, and the migration is
 * retried.
 */
const LOCK_CONFLICTS = ["40P01", "55P03"];
const ATTEMPTS = 10;
/** Requests queue behind a migration that waits for a lock, and proceed during the pause. */
const PAUSE_MS = 2_000;

/** Oldest first. */
export async function findMissingMigrations(
  client: pg.ClientBase,
  migrations: readonly SqlFile[],
  history: MigrationHistory,
): Promise<SqlFile[]> {
  const applied = await history.findApplied(client, migrations);
  return migrations.filter(({ name }) => !applied.has(name));
}

/**
 * Each migration and its entry in the history are written in one transaction, so that a killed process never leaves a
 * migration half applied. Processes that start at the same time take turns. A database that a later version has
 * migrated is not changed and still works with this version.
 * @returns the names of the migrations that were applied, oldest first
 * @throws {Error} if a migration fails. The message contains the migration's name, and earlier migrations remain
 * applied
 */
export async function runMigrations(
  client: pg.ClientBase,
  migrations: readonly SqlFile[],
  history: MigrationHistory,
): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of await findMissingMigrations(client, migrations, history)) {
    if (await applyBetweenRequests(client, migration, history)) applied.push(migration.name);
  }
  return applied;
}

/** The pauses have random lengths, so that two processes do not collide again. */
async function applyBetweenRequests(
  client: pg.ClientBase,
  migration: SqlFile,
  history: MigrationHistory,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(client, migration, history);
    } catch (error) {
      if (attempt === ATTEMPTS || !isLockConflict(error)) throw error;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

function isLockConflict(error: unknown): boolean {
  return error instanceof Error && LOCK_CONFLICTS.includes(Object(error.cause).code);
}

/** @returns false if another process has already applied the migration */
async function apply(client: pg.ClientBase, migration: SqlFile, history: MigrationHistory): Promise<boolean> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [history.lock]);
    await history.create(client);
    const isMissing = (await findMissingMigrations(client, [migration], history)).length > 0;
    if (isMissing) {
      await client.query(migration.sql);
      await history.note(client, migration);
    }
    await client.query("COMMIT");
    return isMissing;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${migration.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}
