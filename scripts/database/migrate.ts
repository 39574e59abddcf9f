/**
 * First applies the migrations of the application's tables as `prisma migrate deploy` does, using Prisma's
 * `_prisma_migrations` table and lock, and then those of the login's tables and functions. It is safe to kill this
 * process at any time.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createConnectionConfig } from "#lib/platform/database/direct-connection.ts";
import { SVC_SCHEMA } from "#lib/platform/database/svc-function.ts";
import {
  areSqlFunctionsInstalled,
  installSqlFunctions,
  LOGIN_FUNCTIONS,
  type SqlFunctionSet,
} from "#packages/login/database/install-sql-functions.ts";
import { findMissingTableMigrations, migrateLoginTables } from "#packages/login/database/login-tables.ts";
import type { SqlFile } from "#packages/login/database/read-sql-files.ts";
import {
  findMissingMigrations,
  type MigrationHistory,
  runMigrations,
} from "#packages/login/database/run-migrations.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PRISMA_FOLDER = join(ROOT, "prisma");
export const SCHEMA = join(PRISMA_FOLDER, "schema.prisma");
export const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, "migrations");
/** In Prisma's layout, each migration is a folder with this file. */
const SCRIPT = "migration.sql";

/** The schema of the application's and the login's tables. */
const TABLES = "public";
const CONNECT_TIMEOUT_MS = 10_000;

/** They call the login's functions. */
const SVC_FUNCTIONS: SqlFunctionSet = {
  schema: SVC_SCHEMA,
  uses: [LOGIN_FUNCTIONS.schema],
  read() {
    const files = globSync("lib/**/sql/*.sql", { cwd: ROOT }).sort();
    if (files.length === 0) throw new Error(`The files of the SQL functions are missing from ${ROOT}.`);
    return files.map((file) => readFileSync(join(ROOT, file), "utf8"));
  },
};
/** In the order in which they are installed. */
const FUNCTIONS = [LOGIN_FUNCTIONS, SVC_FUNCTIONS];

/**
 * Prisma's own history. Prisma's command line reads these columns and waits for the lock. An unfinished entry belongs
 * to a process that died: PostgreSQL has rolled back that migration, so it can be retried.
 */
const HISTORY: MigrationHistory = {
  lock: 72707369,
  async create(client) {
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
      migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
      started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    await client.query(`update _prisma_migrations set rolled_back_at = clock_timestamp()
      where finished_at is null and rolled_back_at is null`);
  },
  findApplied: async (client) => new Set((await readApplied(client)).keys()),
  note: (client, { name, sql }) =>
    client.query(
      `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       values ($1, $2, clock_timestamp(), $3, 1)`,
      [randomUUID(), checksumOf(sql), name],
    ),
};

/** Checksums by migration name. */
async function readApplied(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows: tables } = await client.query(
    "select to_regclass('_prisma_migrations') is not null as found",
  );
  if (!tables[0]?.found) return new Map();
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

type Log = (message: string) => void;

/**
 * Several processes can call this simultaneously, and take turns.
 * @param url a PostgreSQL URL
 * @returns the names of the applied migrations, oldest first
 * @throws {DatabaseUnavailable} with one sentence for the operator, without the password
 */
export async function migrate(url: string, { log = () => {} }: { log?: Log } = {}): Promise<string[]> {
  const applied = await applyMigrations(url, { log });
  return withClient(url, async (client) => {
    const tables = await explained(migrateLoginTables(client, TABLES));
    for (const name of tables) log(`Applied the migration ${name}.`);
    for (const functions of FUNCTIONS) await installSqlFunctions(client, functions);
    return [...applied, ...tables];
  });
}

/** Like `migrate`, for the migrations in a folder. */
export async function applyMigrations(
  url: string,
  { migrationsDir = MIGRATIONS_FOLDER, log = () => {} }: { migrationsDir?: string; log?: Log } = {},
): Promise<string[]> {
  const migrations = readMigrations(migrationsDir);
  return withClient(url, async (client) => {
    for (const name of await findEdited(client, migrations)) {
      log(
        `The migration ${name} was edited after this database applied it; the database keeps the older form.`,
      );
    }
    const applied = await explained(runMigrations(client, migrations, HISTORY));
    for (const name of applied) log(`Applied the migration ${name}.`);
    return applied;
  });
}

/** Edited after this database had applied them. */
async function findEdited(client: pg.ClientBase, migrations: readonly SqlFile[]): Promise<string[]> {
  const applied = await readApplied(client);
  return migrations
    .filter(({ name, sql }) => applied.has(name) && applied.get(name) !== checksumOf(sql))
    .map(({ name }) => name);
}

async function explained<Value>(migrating: Promise<Value>): Promise<Value> {
  try {
    return await migrating;
  } catch (error) {
    throw new DatabaseUnavailable(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Only reads the database.
 * @throws {DatabaseUnavailable} with one sentence for the operator that names what is missing
 */
export async function assertMigrated(url: string): Promise<void> {
  await assertMigrations(url);
  await withClient(url, async (client) => {
    const missing = await findMissingTableMigrations(client, TABLES);
    if (missing.length > 0) throw lacks(missing.join(", "));
    for (const functions of FUNCTIONS) {
      if (!(await areSqlFunctionsInstalled(client, functions)))
        throw lacks(`the functions of ${functions.schema}`);
    }
  });
}

/** Like `assertMigrated`, for the migrations in a folder. */
export async function assertMigrations(url: string, migrationsDir = MIGRATIONS_FOLDER): Promise<void> {
  const migrations = readMigrations(migrationsDir);
  const missing = await withClient(url, (client) => findMissingMigrations(client, migrations, HISTORY));
  if (missing.length > 0) throw lacks(missing.map(({ name }) => name).join(", "));
}

function lacks(what: string): DatabaseUnavailable {
  return new DatabaseUnavailable(
    `The database lacks ${what}: run \`npm run admin -- migrate\` first, or let MIGRATE_ON_START be true.`,
  );
}

/** Closing the connection also releases the lock. */
async function withClient<Value>(url: string, act: (client: pg.Client) => Promise<Value>): Promise<Value> {
  parseDatabaseUrl(url);
  const client = new pg.Client({
    // A migration can take longer than the role's statement timeout.
    ...createConnectionConfig(url, { statement_timeout: "0" }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw explainConnectionError(error, url);
  }
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Oldest first. Empty if the folder does not exist. */
export function readMigrations(folder: string): SqlFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, SCRIPT)))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name, SCRIPT), "utf8") }));
}

/** The message is one sentence for the operator, and never contains the password. */
class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

const UNREACHABLE = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNRESET",
];

/**
 * The parts that can be shown.
 * @throws {DatabaseUnavailable} if the text is not a PostgreSQL URL
 */
function parseDatabaseUrl(url: string): { host: string; user: string; database: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !["postgres:", "postgresql:"].includes(parsed.protocol)) {
    throw new DatabaseUnavailable(
      "DATABASE_URL is not the URL of a PostgreSQL database: expected postgresql://user:password@host:port/database.",
    );
  }
  const user = decode(parsed.username);
  return {
    host: parsed.host ? `${parsed.hostname}:${parsed.port || "5432"}` : "the local socket",
    user,
    database: decode(parsed.pathname.slice(1)) || user,
  };
}

function explainConnectionError(error: unknown, url: string): DatabaseUnavailable {
  const { host, user, database } = parseDatabaseUrl(url);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  if (code === "3D000") {
    return new DatabaseUnavailable(
      `The database "${database}" of DATABASE_URL does not exist on ${host}: create it (create database "${database}"), or correct the URL.`,
    );
  }
  if (code === "28P01" || code === "28000" || message.includes("password must be a string")) {
    return new DatabaseUnavailable(
      `PostgreSQL on ${host} refuses the user "${user}" of DATABASE_URL: correct the user name or password, or let it in (pg_hba.conf).`,
    );
  }
  if (UNREACHABLE.includes(code) || /timeout|terminated unexpectedly/.test(message)) {
    return new DatabaseUnavailable(
      `No PostgreSQL answers at ${host} (${code || "timeout"}): start it, or correct DATABASE_URL; unset, the application brings its own.`,
    );
  }
  return new DatabaseUnavailable(`PostgreSQL on ${host}, named by DATABASE_URL, cannot be used: ${message}.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
