import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SVC_SCHEMA } from "#lib/platform/database/svc-function.ts";
import { FUNCTIONS_SCHEMA } from "#packages/login/database/sql-function.ts";
import { readOrExit, UsageError } from "#packages/terminal/command-line.ts";
import { migrate } from "../scripts/database/migrate.ts";
import { print } from "../scripts/server/operator-output.ts";
import { createTestDatabase, execute } from "./kit/database.ts";
import { installPackages, runTool } from "./kit/run-tool.ts";
import { changesOfSql } from "./mutate/change-sql.ts";
import { MUTATED_FILES, MUTATED_SQL } from "./mutate/files.ts";

/**
 * `npm run mutate [-- FILE…]`: changes the pure cores and the SQL functions in small ways,
 * one at a time, and prints the changes that no test notices (docs/testing.md). Stryker changes the cores; it is
 * installed on demand into a separate folder.
 */

const FILES = { ...MUTATED_FILES, ...MUTATED_SQL };

const files = readOrExit(
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
const REPORT = join(FOLDER, "report.json");
const PACKAGES = ["@stryker-mutator/core@10.1.1", "@stryker-mutator/vitest-runner@10.1.1"];
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const VITEST_CONFIG = "tools/mutate/vitest.config.ts";
const MODULES = join(FOLDER, "node_modules", "@stryker-mutator");

type Mutant = {
  status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "CompileError" | "RuntimeError" | "Ignored";
  replacement: string;
  location: { start: { line: number; column: number }; end: { line: number; column: number } };
};
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> };

/** The number of changes of a file, and those that no test noticed. */
type Outcome = { all: number; unnoticed: { line: number; original: string; replacement: string }[] };

/**
 * Changes the SQL in a file, one place at a time, and runs its tests against PostgreSQL. The file on the disk is not
 * changed.
 * @returns the number of changes, and those that no test noticed
 * @throws if its tests fail without a change
 */
async function mutateStore(file: string, tests: readonly string[]): Promise<Outcome> {
  const source = readFileSync(join(ROOT, file), "utf8");
  const changes = changesOfSql(source);
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
    const unnoticed: Outcome["unnoticed"] = [];
    for (const change of changes) {
      const { start, end, replacement } = change;
      const changed = source.slice(0, start) + replacement + source.slice(end);
      // PostgreSQL notices a change that is no longer valid SQL.
      if (await pass(changed).catch(() => false)) unnoticed.push(change);
    }
    return { all: changes.length, unnoticed };
  } finally {
    await database.close();
  }
}

/** Replaces the functions of a file in a database. The types that it declares are not changed. */
async function replaceFunctions(url: string, file: string, text: string): Promise<void> {
  const functions = text.slice(text.indexOf("CREATE FUNCTION"));
  const script = functions
    .replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    .replace(/CREATE TYPE [^;]*;/g, "");
  const schemas = file.startsWith("lib/") ? `${SVC_SCHEMA}, ${FUNCTIONS_SCHEMA}` : FUNCTIONS_SCHEMA;
  await execute(url, `SET search_path = ${schemas}, public`, script);
}

/** Has Stryker change one file at a time, so that only that file's tests run. */
async function mutateCore(file: string, tests: readonly string[]): Promise<Outcome> {
  // Below the repository, so that it finds the repository's vitest.
  await installPackages(FOLDER, PACKAGES, ["--legacy-peer-deps"]);
  const config = join(FOLDER, "stryker.json");
  writeFileSync(
    config,
    JSON.stringify({
      mutate: [file],
      testRunner: "vitest",
      plugins: [join(MODULES, "vitest-runner", "dist", "src", "index.js")],
      vitest: { configFile: VITEST_CONFIG, related: false },
      // No such file, because Stryker would read it with an API that TypeScript 7 no longer has.
      tsconfigFile: "none.json",
      ignorePatterns: [".data", ".next", "generated", "prisma"],
      tempDirName: ".data/mutate/sandbox",
      concurrency: 1,
      coverageAnalysis: "perTest",
      reporters: ["json"],
      jsonReporter: { fileName: REPORT },
      logLevel: "error",
    }),
  );
  rmSync(REPORT, { force: true });
  await runTool(process.execPath, [join(MODULES, "core", "bin", "stryker.js"), "run", config], {
    cwd: ROOT,
    variables: { MUTATE_TESTS: tests.join(",") },
  });
  const { files }: Report = JSON.parse(readFileSync(REPORT, "utf8"));
  const allMutants = Object.values(files).flatMap(({ source, mutants }) =>
    mutants
      .filter(({ status }) => !["CompileError", "RuntimeError", "Ignored"].includes(status))
      .map(({ status, location, replacement }) => ({
        ...{ status, line: location.start.line, original: excerpt(source, location), replacement },
      })),
  );
  const unnoticed = allMutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  return { all: allMutants.length, unnoticed };
}

/** Reports one file, with each change that no test noticed. */
function printOutcome(file: string, { all, unnoticed }: Outcome): void {
  print(`${file}: ${all - unnoticed.length} of ${all}`);
  for (const { line, original, replacement } of unnoticed) {
    const became = replacement.replace(original, original.length > 40 ? "…" : original);
    print(`  ${line}: ${oneLine(original)} → ${oneLine(became)}`);
  }
}

function excerpt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  if (lines.length === 1) return lines[0]?.slice(start.column - 1, end.column - 1) ?? "";
  return oneLine(
    [lines[0]?.slice(start.column - 1), ...lines.slice(1, -1), lines.at(-1)?.slice(0, end.column - 1)].join(
      " ",
    ),
  );
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 120);

const total = { noticed: 0, all: 0 };
for (const file of files) {
  try {
    const store = MUTATED_SQL[file];
    const outcome = await (store ? mutateStore(file, store) : mutateCore(file, MUTATED_FILES[file] ?? []));
    printOutcome(file, outcome);
    total.noticed += outcome.all - outcome.unnoticed.length;
    total.all += outcome.all;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
if (total.all > 0) {
  const percent = ((100 * total.noticed) / total.all).toFixed(1);
  print(`${total.noticed} of ${total.all} changes noticed (${percent} %)`);
}
