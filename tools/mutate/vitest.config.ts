import { defineConfig } from "vitest/config";

const { MUTATE_TESTS = "", MUTATE_DATABASE } = process.env;

/** Runs the tests that `npm run mutate` selects for a changed file. */
export default defineConfig({
  test: {
    include: MUTATE_TESTS.split(","),
    testTimeout: 30_000,
    // These tests run only SQL statements, so no application is started.
    provide: MUTATE_DATABASE
      ? { migratedDatabase: MUTATE_DATABASE, appUrls: ["http://127.0.0.1:1", "http://127.0.0.1:1"] }
      : {},
  },
});
