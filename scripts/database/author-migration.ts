/**
 * node scripts/run.mjs database/author-migration NAME: writes the migration that leads from the existing
 * ones to prisma/schema.prisma. Read it, complete it by hand where needed, and commit it with the schema.
 *
 * It starts from the schema that was committed with the last migration. If it started from a database made by the
 * migrations, it would undo what was added to them by hand.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { openEmbeddedDatabase } from "#packages/postgres/embedded.ts";
import { readOrExit, UsageError } from "#packages/terminal/command-line.ts";
import { diffSchemas } from "./diff-schemas.ts";
import { MIGRATIONS_FOLDER, readMigrations, SCHEMA } from "./migrate.ts";

const ROOT = dirname(dirname(SCHEMA));
const MIGRATIONS = ":(glob)prisma/migrations/*/migration.sql";

const name = readOrExit(
  {
    program: "node scripts/run.mjs database/author-migration",
    about: "Writes the migration that leads from the existing ones to prisma/schema.prisma.",
    commands: { "": { takes: "NAME", does: "lower-case letters, digits and underscores" } },
    options: {},
  },
  ({ subjects: [given = ""] }) => {
    if (/^[a-z0-9_]+$/.test(given)) return given;
    throw new UsageError("NAME has lower-case letters, digits and underscores.");
  },
);

try {
  await author(name);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function author(name: string): Promise<void> {
  const sql = await missingSql();
  if (!sql) return say("The migrations already lead to this schema.");
  const file = join(MIGRATIONS_FOLDER, `${nextTimestamp()}_${name}`, "migration.sql");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sql);
  writeFileSync(join(MIGRATIONS_FOLDER, "migration_lock.toml"), 'provider = "postgresql"\n');
  say(`Wrote ${file}`);
}

/** The current time, but later than the last migration's: migrations are applied in the order of their names. */
function nextTimestamp(): string {
  const now = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const last = readMigrations(MIGRATIONS_FOLDER).at(-1)?.name.slice(0, 14) ?? "";
  return now > last ? now : String(Number(last) + 1);
}

async function missingSql(): Promise<string | undefined> {
  const database = await openEmbeddedDatabase({ root: join(ROOT, ".data"), log: say });
  try {
    return await diffSchemas(database.url, migratedSchema(), readFileSync(SCHEMA, "utf8"));
  } finally {
    await database.close();
  }
}

/** The schema that the existing migrations lead to; undefined while there are none. */
function migratedSchema(): string | undefined {
  const uncommitted = git("status", "--porcelain", "--untracked-files=all", "--", MIGRATIONS);
  if (uncommitted !== "") {
    throw new Error(`Commit or remove these migrations first, with their schema:\n${uncommitted}`);
  }
  // Only the branch's own commits: a merge that brought migrations brought their schema too.
  const last = git("log", "-1", "--first-parent", "--format=%H", "--", MIGRATIONS);
  return last === "" ? undefined : git("show", `${last}:${relative(ROOT, SCHEMA).replaceAll("\\", "/")}`);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
