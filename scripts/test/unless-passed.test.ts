import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unlessPassed } from "./unless-passed.ts";

test("a test runs until it passes, and again once a file has changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "passed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, stamp] = [join(folder, "source"), join(folder, "stamps", "passed")];
  let runs = 0;
  const attempt = (passes: boolean) =>
    unlessPassed([file], stamp, async () => {
      runs += 1;
      if (!passes) throw new Error("failed");
    });
  writeFileSync(file, "one");
  await expect(attempt(false)).rejects.toThrow("failed");
  await attempt(true);
  await attempt(true);
  expect(runs).toBe(2);
  writeFileSync(file, "two");
  await attempt(true);
  expect(runs).toBe(3);
});
