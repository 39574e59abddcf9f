import { expect, test } from "vitest";
import { readLoginTableMigrations } from "#packages/login/database/login-tables.ts";
import { MIGRATIONS_FOLDER, readMigrations } from "./migrate.ts";

/**
 * During an upgrade, processes of two versions share a database (docs/operations.md#upgrade). So a migration must not
 * change what the previous version uses. A migration may remove objects that no released version uses if it begins with
 * `-- contract:` and their names.
 */
const MIGRATIONS = [...readMigrations(MIGRATIONS_FOLDER), ...readLoginTableMigrations()];
/** No version older than these migrations can be upgraded. */
const BEFORE = [
  "20261121120000_init",
  "20261122105000_fair_by_owner",
  "20261122120000_login_flow",
  "20261122140000_customer",
  "0001_login",
];

const NO_EXPANSION: [RegExp, string][] = [
  [/\bDROP\s+(TABLE|COLUMN|TYPE|FUNCTION|VIEW|SCHEMA|DEFAULT)\b/i, "drops what the version before may use"],
  [/\bRENAME\b/i, "renames what the version before knows by its name"],
  [/\bSET\s+NOT\s+NULL\b/i, "forbids null where the version before may write it"],
  [/\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i, "changes a type that the version before reads"],
  [
    /\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\bDEFAULT\b)/i,
    "adds a column that the version before leaves out",
  ],
];

/** Statements that would break processes of the previous version. */
function contractions(sql: string): string[] {
  if (/^-- contract: \S/.test(sql)) return [];
  const code = sql.replace(/--.*$/gm, "").replace(/\$\$.*?\$\$/gs, "");
  const createdTables = [...code.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)/gi)].map(
    ([, name]) => name,
  );
  const tightenedStatements = [
    ...code.matchAll(/\bALTER\s+TABLE\s+"?(\w+)"?[^;]*?\bADD\s+CONSTRAINT\b/gi),
    ...code.matchAll(/\bCREATE\s+UNIQUE\s+INDEX\s[^;]*?\bON\s+"?(\w+)/gi),
  ].filter(([, table]) => !createdTables.includes(table));
  return [
    ...NO_EXPANSION.filter(([pattern]) => pattern.test(code)).map(([, what]) => what),
    ...tightenedStatements.map(([, table]) => `tightens ${table}, which the version before writes to`),
  ];
}

test.each([
  ['ALTER TABLE "user" DROP COLUMN name;', "drops"],
  ["ALTER TABLE a RENAME TO b;", "renames"],
  ["ALTER TABLE a ALTER COLUMN b SET NOT NULL;", "forbids null"],
  ["ALTER TABLE a ALTER COLUMN b SET DATA TYPE bigint;", "changes a type"],
  ["ALTER TABLE a ADD COLUMN b int NOT NULL;", "adds a column"],
  ["CREATE TABLE b (id int); ALTER TABLE a ADD CONSTRAINT c CHECK (d > 0);", "tightens a"],
  ["CREATE UNIQUE INDEX c ON a (b);", "tightens a"],
])("finds a migration that removes something the previous version uses: %s", (sql, what) => {
  expect(contractions(sql).join()).toContain(what);
  expect(contractions(`-- contract: release 3 was the last to read it\n${sql}`)).toEqual([]);
});

test.each([
  "ALTER TABLE a ADD COLUMN b int, ADD COLUMN c int NOT NULL DEFAULT 0;",
  "CREATE TABLE a (id int); ALTER TABLE a ADD CONSTRAINT b CHECK (id > 0); CREATE UNIQUE INDEX c ON a (id);",
  "ALTER TABLE a ALTER COLUMN b DROP NOT NULL; ALTER TABLE a DROP CONSTRAINT c; -- DROP TABLE a\nDROP INDEX d;",
])("accepts a migration that only adds: %s", (sql) => expect(contractions(sql)).toEqual([]));

test("finds only migrations with which the previous version can still run", () => {
  const found = MIGRATIONS.map(({ name, sql }) => ({ name, problems: contractions(sql) })).filter(
    ({ name, problems }) => problems.length > 0 && !BEFORE.includes(name),
  );
  expect(found).toEqual([]);
});
