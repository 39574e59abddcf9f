import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The tests of one mutated file, which `npm run mutate` names. */
export default defineConfig({
  resolve: { alias: { "server-only": join(import.meta.dirname, "../../node_modules/server-only/empty.js") } },
  test: { include: (process.env.MUTATE_TESTS ?? "").split(","), testTimeout: 30_000 },
});
