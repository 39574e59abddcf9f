import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireLock } from "./process-lock.mjs";

const MODULE = pathToFileURL(join(import.meta.dirname, "process-lock.mjs")).href;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc lock "));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Resolves at the script's first output. */
function runElsewhere(script: string): Promise<{ child: ChildProcess; said: string }> {
  const source = `import { acquireLock } from ${JSON.stringify(MODULE)};
    const folder = ${JSON.stringify(join(folder, "lock"))}, file = ${JSON.stringify(join(folder, "count"))};\n${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) =>
    child.stdout.once("data", (data) => resolve({ child, said: String(data).trim() })),
  );
}

const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

test("is held by only one process at a time", async () => {
  writeFileSync(join(folder, "count"), "0");
  const increments = `import { readFileSync, writeFileSync } from "node:fs";
    for (let i = 0; i < 10; i++) {
      const lock = await acquireLock(folder);
      const count = Number(readFileSync(file, "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 2));
      writeFileSync(file, String(count + 1));
      lock.release();
    }
    console.log("done");`;
  await Promise.all([runElsewhere(increments), runElsewhere(increments), runElsewhere(increments)]);
  expect(readFileSync(join(folder, "count"), "utf8")).toBe("30");
}, 20_000);

test("is released if the process that holds it is killed", async () => {
  const { child } = await runElsewhere(
    `await acquireLock(folder); console.log("held"); setInterval(() => {}, 1000);`,
  );
  let holderPid: number | undefined;
  const acquired = acquireLock(join(folder, "lock"), {
    onWait: (pid) => {
      holderPid = pid;
      child.kill("SIGKILL");
    },
  });
  (await acquired).release();
  expect(holderPid).toBe(child.pid);
});

test("is not released while a registered child process is running", async () => {
  const { child, said } = await runElsewhere(`import { spawn } from "node:child_process";
    const lock = await acquireLock(folder);
    const child = spawn("sleep", ["30"], { stdio: "ignore" });
    lock.include(child.pid);
    console.log(child.pid); setInterval(() => {}, 1000);`);
  child.kill("SIGKILL");
  await exitOf(child);
  let waited = false;
  const acquired = acquireLock(join(folder, "lock"), {
    onWait: (pid) => {
      waited = pid === Number(said);
      process.kill(Number(said), "SIGKILL");
    },
  });
  (await acquired).release();
  expect(waited).toBe(true);
});

test("is free if its holder has ended and another process has the same id", async (context) => {
  if (process.platform !== "linux") return context.skip("only Linux tells when a process began");
  mkdirSync(join(folder, "lock"));
  writeFileSync(join(folder, "lock", "7"), JSON.stringify([{ pid: process.pid, started: "another boot/1" }]));
  (await acquireLock(join(folder, "lock"), { onWait: () => expect.unreachable() })).release();
});

test("is free if its holder was killed before it could write its process id", async () => {
  mkdirSync(join(folder, "lock"));
  writeFileSync(join(folder, "lock", "7"), "");
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(folder, "lock", "7"), longAgo, longAgo);
  (await acquireLock(join(folder, "lock"))).release();
});
