import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const ROOT = join(import.meta.dirname, "..", "..");
const { MUTATE_TESTS = "", MUTATE_CHANGED, MUTATE_DATABASE } = process.env;

/** Loads a file as `npm run mutate` has changed it. The file on the disk stays as it is. */
function changedSource({ file, source }: { file: string; source: string }) {
  return {
    name: "changed-source",
    enforce: "pre" as const,
    load: (id: string) => (id === join(ROOT, file) ? source : null),
  };
}

/** The tests of one mutated file, which `npm run mutate` names. */
export default defineConfig({
  plugins: MUTATE_CHANGED ? [changedSource(JSON.parse(readFileSync(MUTATE_CHANGED, "utf8")))] : [],
  test: {
    include: MUTATE_TESTS.split(","),
    testTimeout: 30_000,
    // The cache goes by the file on the disk, which is not what was changed.
    fsModuleCache: false,
    // No application runs: these tests run only the statements.
    provide: MUTATE_DATABASE
      ? { migratedDatabase: MUTATE_DATABASE, appUrls: ["http://127.0.0.1:1", "http://127.0.0.1:1"] }
      : {},
  },
});
