import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const everywhere = {
  // Outside the framework the marker has nothing to guard.
  resolve: { alias: { "server-only": join(import.meta.dirname, "node_modules/server-only/empty.js") } },
};

export default defineConfig({
  test: {
    // The tests mostly wait for what they speak to: a machine of two cores would wait for one file after another.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        ...everywhere,
        test: {
          name: "unit",
          include: ["{app,components,lib,scripts}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.integration.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...everywhere,
        test: {
          // Installs and builds in empty folders: a step of its own, run when what goes into the image has changed.
          name: "image",
          include: ["e2e/image/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...everywhere,
        test: {
          name: "integration",
          include: ["{app,components,lib,scripts}/**/*.integration.test.ts"],
          globalSetup: ["e2e/support/integration-setup.ts"],
          testTimeout: 60_000,
          // A shared CI machine may stall for seconds.
          retry: process.env.CI ? 1 : 0,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
