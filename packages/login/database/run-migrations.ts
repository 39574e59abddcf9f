import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Script } from "./read-scripts.ts";

/** The record in a database of the migrations that it has applied. */
export type MigrationHistory = {
  /** An arbitrary lock number that other programs do not use. */
  readonly lock: number;
  /** Creates the history if it is missing. */
  create(client: pg.ClientBase): Promise<unknown>;
  /** Returns the names of the given migrations that are applied, or an empty list if there is no history yet. */
  findApplied(client: pg.ClientBase, migrations: readonly Script[]): Promise<Set<string>>;
  note(client: pg.ClientBase, migration: Script): Promise<unknown>;
};

/**
 * The SQLSTATEs of a migration that conflicted with requests in progress: a deadlock, or a lock that was not free in
 * time. The requests continue, and the migration is tried again.
 */
const LOCK_CONFLICTS = ["40P01", "55P03"];
const ATTEMPTS = 10;
/** While a migration waits for a lock, requests wait behind it. The pause lets them proceed. */
const PAUSE_MS = 2_000;

/** Returns the migrations that a database has not applied yet, oldest first. Changes nothing. */
export async function findMissingMigrations(
  client: pg.ClientBase,
  migrations: readonly Script[],
  history: MigrationHistory,
): Promise<Script[]> {
  const applied = await history.findApplied(client, migrations);
  return migrations.filter(({ name }) => !applied.has(name));
}

/**
 * Applies the missing migrations, each in one transaction with its entry in the history, so that a killed process
 * cannot leave a migration half applied. Processes that start at the same time take turns. A database with a later
 * version is not changed, and still works with this version.
 * @returns the names of the migrations applied now, oldest first
 * @throws {Error} naming the migration that failed; the earlier ones remain applied
 */
export async function runMigrations(
  client: pg.ClientBase,
  migrations: readonly Script[],
  history: MigrationHistory,
): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of await findMissingMigrations(client, migrations, history)) {
    if (await applyBetweenRequests(client, migration, history)) applied.push(migration.name);
  }
  return applied;
}

/**
 * Applies a migration, and tries again if it conflicted with requests. The pauses have random lengths, so that two
 * processes do not collide again.
 */
async function applyBetweenRequests(
  client: pg.ClientBase,
  migration: Script,
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

/** @returns false if another process has applied it in the meantime */
async function apply(client: pg.ClientBase, migration: Script, history: MigrationHistory): Promise<boolean> {
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
