import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SVC_SCHEMA } from "#lib/platform/database/svc-function.ts";
import { FUNCTIONS_SCHEMA } from "#packages/login/database/sql-function.ts";
import { readCommandLineOrExit, UsageError } from "#packages/terminal/command-line.ts";
import { migrate } from "../scripts/database/migrate.ts";
import { print } from "../scripts/server/operator-output.ts";
import { createTestDatabase, execute } from "./kit/database.ts";
import { installPackages, runTool } from "./kit/run-tool.ts";
import { findSqlChanges } from "./mutate/change-sql.ts";
import { MUTATED_FILES, MUTATED_SQL } from "./mutate/files.ts";

/**
 * Runs `npm run mutate [-- FILE…]`. The command makes small changes to the pure functions and the SQL functions, one at
 * a time, and prints the changes that no test notices (docs/testing.md). In TypeScript files, Stryker makes the
 * changes.
 */

const FILES = { ...MUTATED_FILES, ...MUTATED_SQL };

const files = readCommandLineOrExit(
  {
    program: "npm run mutate --",
    about: "Which changes of the code no test notices: one at a time is made, and the file's tests are run.",
    commands: { "": { takes: "[FILE…]", does: "changes these, or every file, which takes an hour or so" } },
    options: {},
    notes: `Files\n${Object.keys(FILES)
      .map((file) => `  ${file}`)
      .join("\n")}`,
  },
  ({ subjects }) => {
    const unknown = subjects.find((file) => !Object.hasOwn(FILES, file));
    if (unknown !== undefined) throw new UsageError(`${unknown} is none of the files that are changed.`);
    return subjects.length > 0 ? subjects : Object.keys(FILES);
  },
);

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, ".data", "mutate");
const PACKAGES = ["@stryker-mutator/core@10.1.1", "@stryker-mutator/vitest-runner@10.1.1"];
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const VITEST_CONFIG = "tools/mutate/vitest.config.ts";
const STRYKER = join(FOLDER, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
const CONFIG = "tools/mutate/stryker.config.mjs";

/**
 * Runs the tests against PostgreSQL with one change at a time. The file on disk stays as it is.
 * @throws {Error} if the tests fail without a change
 */
async function mutateSql(file: string, tests: readonly string[]): Promise<void> {
  const source = readFileSync(join(ROOT, file), "utf8");
  const changes = findSqlChanges(source);
  const database = await createTestDatabase();
  try {
    await migrate(database.url);
    const pass = async (text: string) => {
      await replaceFunctions(database.url, file, text);
      const variables = {
        NODE_OPTIONS: "",
        MUTATE_TESTS: tests.join(","),
        MUTATE_DATABASE: database.name,
      };
      const args = [VITEST, "run", "--config", VITEST_CONFIG, "--bail=1", "--reporter=dot"];
      return runTool(process.execPath, args, { cwd: ROOT, variables }).then(
        () => true,
        () => false,
      );
    };
    if (!(await pass(source))) throw new Error(`The tests of ${file} fail without a change.`);
    let unnoticed = 0;
    for (const { start, end, line, original, replacement } of changes) {
      const changed = source.slice(0, start) + replacement + source.slice(end);
      // If a change makes the SQL invalid, PostgreSQL refuses it.
      if (!(await pass(changed).catch(() => false))) continue;
      unnoticed++;
      print(`${file}:${line}: ${oneLine(original)} → ${oneLine(replacement)}`);
    }
    print(`${file}: ${changes.length - unnoticed} of ${changes.length} changes noticed`);
  } finally {
    await database.close();
  }
}

/** The types that the file declares stay as they are. */
async function replaceFunctions(url: string, file: string, text: string): Promise<void> {
  const functions = text.slice(text.indexOf("CREATE FUNCTION"));
  const script = functions
    .replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    .replace(/CREATE TYPE [^;]*;/g, "");
  const schemas = file.startsWith("lib/") ? `${SVC_SCHEMA}, ${FUNCTIONS_SCHEMA}` : FUNCTIONS_SCHEMA;
  await execute(url, `SET search_path = ${schemas}, public`, script);
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 120);

/** Stryker is installed the first time. */
async function mutateCores(cores: readonly string[]): Promise<void> {
  // This folder is below the repository, so Stryker finds the repository's vitest.
  await installPackages(FOLDER, PACKAGES, ["--legacy-peer-deps"]);
  const tests = cores.flatMap((file) => MUTATED_FILES[file] ?? []);
  const { status } = spawnSync(process.execPath, [STRYKER, "run", CONFIG, "--mutate", cores.join()], {
    cwd: ROOT,
    env: { ...process.env, MUTATE_TESTS: tests.join() },
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}

const cores = files.filter((file) => Object.hasOwn(MUTATED_FILES, file));
if (cores.length > 0) await mutateCores(cores);
for (const [file, tests] of Object.entries(MUTATED_SQL)) {
  if (!files.includes(file)) continue;
  try {
    await mutateSql(file, tests);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
