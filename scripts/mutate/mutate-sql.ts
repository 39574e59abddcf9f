import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "#scripts/database/migrate.ts";
import { createTestDatabase } from "#scripts/kit/database.ts";
import { runTool } from "#scripts/kit/run-tool.ts";
import { type Change, changesOfSql } from "./change-sql.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, ".data", "mutate");
const CHANGED = join(FOLDER, "changed.json");
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

/**
 * Changes the SQL in a file, one place at a time, and runs its tests against PostgreSQL. The file on the disk stays as
 * it is.
 * @returns how many changes there are, and those that no test noticed
 * @throws when its tests fail without a change
 */
export async function mutateSql(
  file: string,
  tests: readonly string[],
): Promise<{ all: number; unnoticed: Change[] }> {
  const source = readFileSync(join(ROOT, file), "utf8");
  const changes = changesOfSql(source);
  mkdirSync(FOLDER, { recursive: true });
  const database = await createTestDatabase();
  try {
    await migrate(database.url);
    const pass = async (changed: string) => {
      writeFileSync(CHANGED, JSON.stringify({ file, source: changed }));
      return testsPass(tests, database.name);
    };
    if (!(await pass(source))) throw new Error(`The tests of ${file} fail without a change.`);
    const unnoticed: Change[] = [];
    for (const change of changes) {
      const { start, end, replacement } = change;
      if (await pass(source.slice(0, start) + replacement + source.slice(end))) unnoticed.push(change);
    }
    return { all: changes.length, unnoticed };
  } finally {
    await database.close();
  }
}

async function testsPass(tests: readonly string[], database: string): Promise<boolean> {
  const config = join(import.meta.dirname, "vitest.config.ts");
  const args = [VITEST, "run", "--config", config, "--bail=1", "--reporter=dot"];
  const variables = {
    NODE_OPTIONS: "",
    MUTATE_TESTS: tests.join(","),
    MUTATE_CHANGED: CHANGED,
    MUTATE_DATABASE: database,
  };
  return runTool(process.execPath, args, { cwd: ROOT, variables }).then(
    () => true,
    () => false,
  );
}
