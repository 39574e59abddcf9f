import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** What a run of vitest came to. A flaky test passed, but not at the first try; it counts as passed too. */
export type TestCounts = { passed: number; failed: number; skipped: number; flaky: string[] };

/** A reporter for vitest that writes the counts, as JSON, into the file that the variable TEST_COUNTS_FILE names. */
export default class CountTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const number = (state: string) => tests.filter((test) => test.result().state === state).length;
    const counts: TestCounts = {
      passed: number("passed"),
      failed: number("failed"),
      skipped: number("skipped"),
      flaky: tests.filter((test) => test.diagnostic()?.flaky).map(nameOf),
    };
    writeFileSync(process.env.TEST_COUNTS_FILE ?? "", JSON.stringify(counts));
  }
}

function nameOf({ module, fullName }: TestCase): string {
  return `${module.relativeModuleId} > ${fullName}`;
}
