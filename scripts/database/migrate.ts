/**
 * Brings a database to the schema of this version: what `prisma migrate deploy` does, with Prisma's own
 * engine and the same `_prisma_migrations` table, and safe to be killed in the middle of.
 */
import { createHash } from "node:crypto";
import pg from "pg";
import { DatabaseUnavailable, explainConnectionError, parseDatabaseUrl } from "./connection-error.ts";
import { MIGRATIONS_FOLDER, type Migration, readMigrations, toEngineList } from "./migration-files.ts";
import { NO_FILTERS, startSchemaEngine } from "./schema-engine.ts";

/** The key of Prisma's advisory lock: its command line waits for us, and we for it. */
const MIGRATION_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Committed together with a migration, so that a noted migration is exactly an applied one. The engine
 * notes it too, but afterwards: killed in between, it would refuse to go on, or apply it twice.
 */
const NOTE_FINISHED =
  "update _prisma_migrations set finished_at = clock_timestamp() where finished_at is null and rolled_back_at is null";

/** Begun and not finished: rolled back by PostgreSQL when its process died, so it may be tried again. */
const FORGET_UNFINISHED =
  "update _prisma_migrations set rolled_back_at = clock_timestamp() where finished_at is null and rolled_back_at is null";

/**
 * Applies what is missing. Of processes that migrate at once one does it, and the others wait.
 *
 * @param url a PostgreSQL URL
 * @returns the names of the migrations applied now, oldest first
 * @throws {DatabaseUnavailable} one sentence for the operator, without the password
 */
export async function migrate(
  url: string,
  {
    migrationsDir = MIGRATIONS_FOLDER,
    log = () => {},
  }: { migrationsDir?: string; log?: (message: string) => void } = {},
): Promise<string[]> {
  const migrations = readMigrations(migrationsDir);
  return onOneConnection(url, async (pool) => {
    if ((await findMissing(pool, migrations, log)).length === 0) return [];
    await pool.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    if (await hasTable(pool)) await pool.query(FORGET_UNFINISHED);
    return apply(pool, migrationsDir, migrations, log);
  });
}

/**
 * Changes nothing, and resolves when nothing is missing.
 *
 * @throws {DatabaseUnavailable} one sentence for the operator, that names the migrations that are missing
 */
export async function assertMigrated(url: string, migrationsDir = MIGRATIONS_FOLDER): Promise<void> {
  const migrations = readMigrations(migrationsDir);
  const missing = await onOneConnection(url, (pool) => findMissing(pool, migrations, () => {}));
  if (missing.length === 0) return;
  throw new DatabaseUnavailable(
    `The database lacks ${missing.join(", ")}: run \`npm run admin -- migrate\` first, or let MIGRATE_ON_START be true.`,
  );
}

/** One connection for everything: the lock then lasts exactly as long as anything done under it. */
async function onOneConnection<Value>(url: string, act: (pool: pg.Pool) => Promise<Value>): Promise<Value> {
  parseDatabaseUrl(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  pool.on("error", () => {});
  try {
    await connect(pool, url);
    return await act(pool);
  } finally {
    await pool.end();
  }
}

async function connect(pool: pg.Pool, url: string): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (error) {
    throw explainConnectionError(error, url);
  }
}

async function hasTable(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as found",
  );
  return rows[0]?.found === true;
}

/** The names of the migrations that were not applied yet; without loading the engine, which only the first start needs. */
async function findMissing(
  pool: pg.Pool,
  migrations: Migration[],
  log: (message: string) => void,
): Promise<string[]> {
  const names = migrations.map(({ name }) => name);
  if (!(await hasTable(pool))) return names;
  const { rows } = await pool.query<{ migration_name: string; checksum: string }>(
    "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const { name, sql } of migrations) {
    const checksum = applied.get(name);
    if (checksum !== undefined && checksum !== createHash("sha256").update(sql).digest("hex")) {
      log(
        `The migration ${name} was edited after this database applied it; the database keeps the older form.`,
      );
    }
  }
  return names.filter((name) => !applied.has(name));
}

async function apply(
  pool: pg.Pool,
  folder: string,
  migrations: Migration[],
  log: (message: string) => void,
): Promise<string[]> {
  const scripts = new Set(migrations.map(({ sql }) => sql));
  const session = await startSchemaEngine(pool, (script) =>
    scripts.has(script) ? `${script}\n;${NOTE_FINISHED}` : script,
  );
  try {
    const migrationsList = toEngineList(folder, migrations);
    const { appliedMigrationNames } = await session.engine.applyMigrations({
      migrationsList,
      filters: NO_FILTERS,
    });
    for (const name of appliedMigrationNames) log(`Applied the migration ${name}.`);
    return appliedMigrationNames;
  } catch (error) {
    throw await explainMigrationError(session.causeOf(error), pool);
  } finally {
    session.free();
  }
}

async function explainMigrationError(error: unknown, pool: pg.Pool): Promise<DatabaseUnavailable> {
  // The engine's own messages go on with a stack of the WebAssembly after an empty line.
  const reason = (error instanceof Error ? error.message : String(error)).split("\n\n")[0];
  const { rows } = await pool
    .query<{ migration_name: string }>(
      "select migration_name from _prisma_migrations where finished_at is null and rolled_back_at is null",
    )
    .catch(() => ({ rows: [] }));
  const what = rows[0]
    ? `The migration ${rows[0].migration_name} failed and was rolled back`
    : "Migrating failed";
  return new DatabaseUnavailable(`${what}: ${reason}`);
}
