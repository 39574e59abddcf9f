import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const VITEST = join(import.meta.dirname, "..", "..", "node_modules", "vitest", "vitest.mjs");
const REPORTER = join(import.meta.dirname, "count-tests.ts");

const SUITE = `
  let tries = 0;
  test("passes", () => {});
  describe("group", () => test("passes at the second try", () => expect(++tries).toBe(2)));
  test.skip("is skipped", () => {});
`;

test("what passed only when it was tried again is counted as passed, and named as flaky", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-count-tests-"));
  try {
    writeFileSync(join(folder, "suite.test.js"), SUITE);
    const file = join(folder, "counts.json");
    execFileSync(
      process.execPath,
      [VITEST, "run", "--root", folder, "--globals", "--retry=1", `--reporter=${REPORTER}`],
      {
        env: {
          NODE_ENV: "test",
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          TEST_COUNTS_FILE: file,
        },
      },
    );
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      passed: 2,
      failed: 0,
      skipped: 1,
      flaky: ["suite.test.js > group > passes at the second try"],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
