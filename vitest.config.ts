import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * These limits are for tests that would never end. They allow for a busy machine. Tests of durations have their own
 * limits.
 */
const patient = {
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000, interval: 50 } },
  // A shared CI machine can stall for seconds. The summary lists tests that pass only on a retry.
  retry: process.env.CI ? 1 : 0,
};

/**
 * Consecutive test files share a process and its loaded modules: starting a process for each would take longer than
 * most files do. Replaced globals and environment variables are restored after each file.
 */
const shared = { isolate: false, unstubGlobals: true, unstubEnvs: true, restoreMocks: true };

/** Files that take a minute and mostly wait. If one of them started last, everything would wait for it at the end. */
const BEGIN_FIRST =
  /conformance\/(app|example-sites|\w+\/faults)|database-hang|events\/event-(retries|fairness)|recovery\/delay|hosted-demo\/demo/;

class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => BEGIN_FIRST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    // The tests mostly wait, for responses and for things that must not happen.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,components,lib,packages,scripts,tools,e2e/support}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.integration.test.ts"],
          ...patient,
          ...shared,
        },
      },
      {
        test: {
          // Runs the image's steps in empty folders. A separate stage, which runs only when its inputs have changed.
          name: "image",
          include: ["e2e/image/*.test.ts"],
          ...patient,
        },
      },
      {
        test: {
          // Installs and builds a generated application. Runs only when its inputs have changed.
          name: "template",
          include: ["e2e/template/*.test.ts"],
          globalSetup: ["e2e/template/generated-site.ts"],
          ...patient,
        },
      },
      {
        test: {
          name: "integration",
          include: ["{app,components,lib,packages,scripts,tools}/**/*.integration.test.ts"],
          globalSetup: ["e2e/support/integration-setup.ts"],
          setupFiles: ["e2e/support/forget-process.ts"],
          ...patient,
          ...shared,
        },
      },
    ],
  },
});
