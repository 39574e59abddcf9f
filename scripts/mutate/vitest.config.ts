import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The unit tests of what is mutated, and nothing that starts a server. */
export default defineConfig({
  resolve: { alias: { "server-only": join(import.meta.dirname, "../../node_modules/server-only/empty.js") } },
  test: { include: ["lib/**/*.test.ts"], exclude: ["**/*.integration.test.ts"], testTimeout: 30_000 },
});
