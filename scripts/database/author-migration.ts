/**
 * node scripts/run.mjs database/author-migration NAME: writes the migration that leads from the existing
 * ones to prisma/schema.prisma. To be read, completed by hand where needed, and committed.
 *
 * What the existing ones lead to is kept beside them as prisma/migrations/schema.prisma, so that SQL
 * added to a migration by hand is never taken for something to undo.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openEmbeddedDatabase } from "#lib/postgres/embedded.ts";
import { diffSchemas } from "./diff-schemas.ts";
import { MIGRATED_SCHEMA, MIGRATIONS_FOLDER, readMigrations, SCHEMA } from "./migration-files.ts";

try {
  await author(process.argv[2] ?? "");
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function author(name: string): Promise<void> {
  if (!/^[a-z0-9_]+$/.test(name)) {
    throw new Error("Name the migration: lower-case letters, digits and underscores.");
  }
  const sql = await missingSql();
  if (!sql) return say("The migrations already lead to this schema.");
  const timestamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const file = join(MIGRATIONS_FOLDER, `${timestamp}_${name}`, "migration.sql");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sql);
  writeFileSync(join(MIGRATIONS_FOLDER, "migration_lock.toml"), 'provider = "postgresql"\n');
  copyFileSync(SCHEMA, MIGRATED_SCHEMA);
  say(`Wrote ${file}`);
}

async function missingSql(): Promise<string | undefined> {
  const database = await openEmbeddedDatabase({ root: join(dirname(dirname(SCHEMA)), ".data"), log: say });
  try {
    return await diffSchemas(database.url, migratedSchema(), readFileSync(SCHEMA, "utf8"));
  } finally {
    await database.close();
  }
}

/** The schema that the existing migrations lead to; undefined while there are none. */
function migratedSchema(): string | undefined {
  if (existsSync(MIGRATED_SCHEMA)) return readFileSync(MIGRATED_SCHEMA, "utf8");
  if (readMigrations(MIGRATIONS_FOLDER).length === 0) return undefined;
  throw new Error(`${MIGRATED_SCHEMA} is missing: the schema that the existing migrations lead to.`);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
