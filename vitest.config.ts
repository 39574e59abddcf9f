import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * How long is waited is about guarantees alone where a test says so itself; these only end what would never end, on
 * a machine that is busy with something else too.
 */
const patient = {
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000, interval: 50 } },
  // A shared CI machine may stall for seconds. The summary names tests that pass only in a retry.
  retry: process.env.CI ? 1 : 0,
};

/**
 * Test files that come one after another share a process and the modules that it has loaded: to start one for each
 * takes longer than most files do. What a file has put in the place of globals and of environment variables is put back.
 */
const shared = { isolate: false, unstubGlobals: true, unstubEnvs: true, restoreMocks: true };

/** Files that take a minute, most of it waiting. One that started last would run alone at the end. */
const BEGIN_FIRST =
  /conformance\/(app|example-sites|\w+\/faults)|database\/(database-hang|db)|events\/event-retries|recovery\/delay/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => BEGIN_FIRST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // The tests mostly wait: for what they speak to, and for what must not come.
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
          // Takes the image's steps in empty folders: a stage of its own, run when what goes into the image has changed.
          name: "image",
          include: ["e2e/image/*.test.ts"],
          ...patient,
        },
      },
      {
        test: {
          // Installs and builds a generated application: run when what goes into it has changed.
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
