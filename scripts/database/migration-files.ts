/**
 * The migrations in `prisma/migrations`, laid out as Prisma does.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PRISMA_FOLDER = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "prisma");
export const SCHEMA = join(PRISMA_FOLDER, "schema.prisma");
export const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, "migrations");

const SCRIPT = "migration.sql";

export interface Migration {
  /** The folder's name: `20260131120000_add_sessions`. */
  name: string;
  sql: string;
}

/** All migrations of a folder, oldest first; none when the folder is not there. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, SCRIPT)))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name, SCRIPT), "utf8") }));
}
