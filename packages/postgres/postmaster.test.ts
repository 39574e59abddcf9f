import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeBrokenPidFile } from "./postmaster.ts";

function dataFolder(): string {
  const data = realpathSync(mkdtempSync(join(tmpdir(), "svc data ")));
  onTestFinished(() => rmSync(data, { recursive: true }));
  return data;
}

test("does not delete an empty postmaster.pid while a server process is working in the folder", async () => {
  const data = dataFolder();
  const file = join(data, "postmaster.pid");
  writeFileSync(file, "");
  // This process looks like one that a killed server left behind: its working directory is the data folder, and `ps`
  // shows the path of the folder.
  const leftProcess = spawn("sleep", ["60"], { cwd: data, argv0: `postgres -D ${data}` });
  onTestFinished(() => void leftProcess.kill());
  await once(leftProcess, "spawn");
  const removal = removeBrokenPidFile(data);
  await Promise.race([removal, new Promise((resolve) => setTimeout(resolve, 300))]);
  expect(existsSync(file)).toBe(true);
  leftProcess.kill();
  await removal;
  expect(existsSync(file)).toBe(false);
});

test("does not delete a complete postmaster.pid, even if its process has ended", async () => {
  const data = dataFolder();
  const file = join(data, "postmaster.pid");
  const endedProcess = spawn("true");
  await once(endedProcess, "exit");
  writeFileSync(file, `${endedProcess.pid}\n${data}\n`);
  await removeBrokenPidFile(data);
  expect(existsSync(file)).toBe(true);
});
