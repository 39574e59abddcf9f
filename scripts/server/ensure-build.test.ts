import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runOnce } from "./ensure-build.ts";

test("runs the build until it succeeds, and again after a file has changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "done-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const of = { root: folder, files: ["source"], stamp: join(folder, "stamps", "done") };
  let runs = 0;
  const attempt = (succeeds: boolean) =>
    runOnce(of, async () => {
      runs += 1;
      if (!succeeds) throw new Error("failed");
    });
  writeFileSync(join(folder, "source"), "one");
  await expect(attempt(false)).rejects.toThrow("failed");
  await attempt(true);
  await attempt(true);
  expect(runs).toBe(2);
  writeFileSync(join(folder, "source"), "two");
  await attempt(true);
  expect(runs).toBe(3);
});
