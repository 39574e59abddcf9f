import { defineConfig } from "vitest/config";

const { MUTATE_TESTS = "", MUTATE_DATABASE } = process.env;

/** The tests for the mutated file that `npm run mutate` specifies. */
export default defineConfig({
  test: {
    include: MUTATE_TESTS.split(","),
    testTimeout: 30_000,
    // No application runs, because these tests run only the statements.
    provide: MUTATE_DATABASE
      ? { migratedDatabase: MUTATE_DATABASE, appUrls: ["http://127.0.0.1:1", "http://127.0.0.1:1"] }
      : {},
  },
});
