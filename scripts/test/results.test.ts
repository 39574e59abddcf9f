import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { countPlaywright, summarize } from "./results.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The suite's second test passes only on a retry. */
function runSuite(path: string, suite: string, argsFor: (folder: string) => string[]) {
  // Inside the repository, so that the suite finds the repository's Playwright.
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".data", "results-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "results.json");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  writeFileSync(join(folder, path), suite);
  writeFileSync(
    join(folder, "playwright.config.mjs"),
    `export default { testDir: ".", retries: 1, reporter: [["json", { outputFile: "${file}" }]] };`,
  );
  // Each suite contains a failing test.
  expect(() =>
    execFileSync(process.execPath, argsFor(folder), {
      env: { NODE_ENV: "test", PATH, NODE_COMPILE_CACHE, TEST_COUNTS_FILE: file },
      stdio: "ignore",
    }),
  ).toThrow();
  return JSON.parse(readFileSync(file, "utf8"));
}

test("counts vitest's tests and names those that passed only on a retry", () => {
  const suite = `
    let tries = 0;
    test("passes", () => {});
    describe("group", () => test("passes at the second try", () => expect(++tries).toBe(2)));
    test("never passes", () => expect(1).toBe(2));
    test.skip("is skipped", () => {});`;
  const tool = [join(ROOT, "node_modules", "vitest", "vitest.mjs"), "run", "--globals", "--retry=1"];
  const reporter = `--reporter=${join(import.meta.dirname, "results.ts")}`;
  expect(runSuite("suite.test.js", suite, (folder) => [...tool, reporter, "--root", folder])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    flaky: ["suite.test.js > group > passes at the second try"],
  });
});

test("counts Playwright's tests and names those that passed only on a retry", () => {
  const suite = `
    import { expect, test } from "playwright/test";
    test("passes", () => {});
    test.describe("group", () => {
      test("passes at the second try", () => expect(test.info().retry).toBe(1));
      test.describe("deeper", () => test("too", () => expect(test.info().retry).toBe(1)));
    });
    test("never passes", () => expect(1).toBe(2));
    test.skip("is skipped", () => {});`;
  const tool = [join(ROOT, "node_modules", "playwright", "cli.js"), "test", "--config"];
  const report = runSuite("suite.spec.mjs", suite, (folder) => [...tool, folder]);
  expect(countPlaywright(report)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    flaky: ["suite.spec.mjs > group > passes at the second try", "suite.spec.mjs > group > deeper > too"],
  });
});

test("adds up all kinds of tests and names every retry", () => {
  const runs = [
    { passed: 3, failed: 0, skipped: 1, flaky: ["a.test.ts > one"] },
    { passed: 2, failed: 1, skipped: 0, flaky: [] },
    { passed: 4, failed: 0, skipped: 0, flaky: ["b.spec.ts > two", "b.spec.ts > three"] },
  ];
  expect(summarize(runs).split("\n")).toEqual([
    "Flaky, passed on the second try: a.test.ts > one",
    "Flaky, passed on the second try: b.spec.ts > two",
    "Flaky, passed on the second try: b.spec.ts > three",
    "9 passed, 1 failed, 1 skipped",
  ]);
});

test("writes the JSON report of the browser tests only to a file", async () => {
  const config = async () => {
    vi.resetModules();
    return (await import("../../e2e/playwright.config.ts")).default.reporter;
  };
  vi.stubEnv("PLAYWRIGHT_JSON_OUTPUT_FILE", undefined);
  expect(await config()).toEqual([["list"]]);
  vi.stubEnv("PLAYWRIGHT_JSON_OUTPUT_FILE", "report.json");
  expect(await config()).toContainEqual(["json"]);
});
