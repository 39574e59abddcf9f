import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countPlaywright, summarize } from "./summarize.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PLAYWRIGHT = join(ROOT, "node_modules", "playwright", "cli.js");

const SUITE = `
  import { expect, test } from "playwright/test";
  test("passes", () => {});
  test.describe("group", () => {
    test("passes at the second try", () => expect(test.info().retry).toBe(1));
    test.describe("deeper", () => test("too", () => expect(test.info().retry).toBe(1)));
  });
  test("never passes", () => expect(1).toBe(2));
  test.skip("is skipped", () => {});
`;

test("Playwright's tests are counted, and named where they passed only when tried again", () => {
  // Below the repository, so that its Playwright is found.
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".data", "summarize-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, "report.json");
  writeFileSync(join(folder, "suite.spec.mjs"), SUITE);
  writeFileSync(
    join(folder, "playwright.config.mjs"),
    `export default { testDir: ".", retries: 1, reporter: [["json", { outputFile: "${report}" }]] };`,
  );
  const run = () =>
    execFileSync(process.execPath, [PLAYWRIGHT, "test", "--config", folder], {
      env: {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      },
      stdio: "ignore",
    });
  // It holds a test that fails.
  expect(run).toThrow();
  expect(countPlaywright(JSON.parse(readFileSync(report, "utf8")))).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    flaky: ["suite.spec.mjs > group > passes at the second try", "suite.spec.mjs > group > deeper > too"],
  });
});

test("the summary adds up all kinds of tests and names every second try", () => {
  const runs = [
    { passed: 3, failed: 0, skipped: 1, flaky: ["a.test.ts > one"] },
    { passed: 2, failed: 1, skipped: 0, flaky: [] },
    { passed: 4, failed: 0, skipped: 0, flaky: ["b.spec.ts > two", "b.spec.ts > three"] },
  ];
  expect(summarize(runs).split("\n")).toEqual([
    "Flaky, passed at the second try: a.test.ts > one",
    "Flaky, passed at the second try: b.spec.ts > two",
    "Flaky, passed at the second try: b.spec.ts > three",
    "9 passed, 1 failed, 1 skipped",
  ]);
});
