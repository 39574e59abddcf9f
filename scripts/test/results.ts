import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** A flaky test has failed and then passed on a retry. It also counts as passed. */
export type TestCounts = { passed: number; failed: number; skipped: number; flaky: string[] };

/** Writes the counts as JSON to the file in TEST_COUNTS_FILE. */
export default class CountTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const number = (state: string) => tests.filter((test) => test.result().state === state).length;
    const nameOf = ({ module, fullName }: TestCase) => `${module.relativeModuleId} > ${fullName}`;
    const counts: TestCounts = {
      passed: number("passed"),
      failed: number("failed"),
      skipped: number("skipped"),
      flaky: tests.filter((test) => test.diagnostic()?.flaky).map(nameOf),
    };
    writeFileSync(process.env.TEST_COUNTS_FILE ?? "", JSON.stringify(counts));
  }
}

/** A file or a `describe`. */
type Suite = { title: string; specs?: Spec[]; suites?: Suite[] };
type Spec = { title: string; tests: { status: "expected" | "unexpected" | "flaky" | "skipped" }[] };
export type PlaywrightReport = { suites: Suite[] };

export function countPlaywright({ suites }: PlaywrightReport): TestCounts {
  const tests = suites.flatMap((suite) => testsOf(suite, suite.title));
  const having = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status));
  return {
    passed: having("expected", "flaky").length,
    failed: having("unexpected").length,
    skipped: having("skipped").length,
    flaky: having("flaky").map(({ name }) => name),
  };
}

function testsOf({ specs = [], suites = [] }: Suite, path: string): { name: string; status: string }[] {
  const ownTests = specs.flatMap(({ title, tests }) =>
    tests.map(({ status }) => ({ name: `${path} > ${title}`, status })),
  );
  return [...ownTests, ...suites.flatMap((suite) => testsOf(suite, `${path} > ${suite.title}`))];
}

/** Begins with a line for each test that needed a retry. */
export function summarize(runs: TestCounts[]): string {
  const sum = (key: "passed" | "failed" | "skipped") => runs.reduce((total, run) => total + run[key], 0);
  const flaky = runs.flatMap((run) => run.flaky).map((name) => `Flaky, passed on the second try: ${name}`);
  return [...flaky, `${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`].join("\n");
}
