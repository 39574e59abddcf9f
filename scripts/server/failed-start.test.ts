import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "#tools/kit/start-server.ts";

/** Its build always fails, and it has its own database. */
let clone: string;
const REPOSITORY = join(import.meta.dirname, "..", "..");
const PARTS = [
  "lib",
  "packages",
  "scripts",
  "app",
  "prisma",
  "generated",
  "package.json",
  "package-lock.json",
];

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "svc start "));
  spawnSync("chmod", ["755", clone]);
  for (const part of PARTS) cpSync(join(REPOSITORY, part), join(clone, part), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(clone, "node_modules"));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const FAILING = 'throw new Error("no such setting");';
const ENDLESS =
  'console.error("the build goes on"); setInterval(() => {}, 1_000); await new Promise(() => {});';

type Start = { process: ChildProcess; output(): string; ended: Promise<number | null> };

async function start(build: string): Promise<Start> {
  writeFileSync(join(clone, "next.config.mjs"), build);
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(clone, "scripts", "serve.ts")], {
    cwd: clone,
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: String(await findFreePort()), NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { process: child, output: () => output, ended: exitCode };
}

/** The application, its build, PostgreSQL, and the process that stops PostgreSQL. */
function processes(): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(clone));
}
const untilAllEnd = () => expect.poll(processes, { timeout: 30_000, interval: 100 }).toEqual([]);

describe("a start", () => {
  test("reports a failed build, and stops the database before the process exits", async () => {
    const { output, ended } = await start(FAILING);
    expect(await ended).toBe(1);
    expect(output()).toMatch(/no such setting[\s\S]*Not started: The build failed/);
    expect(processes()).toEqual([]);
  });

  test("stops the build and the database if SIGTERM arrives during the build", async () => {
    const { process, output, ended } = await start(ENDLESS);
    await expect.poll(output, { timeout: 30_000 }).toContain("the build goes on");
    await expect
      .poll(processes, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining("bin/postgres -D"));
    process.kill("SIGTERM");
    expect(await ended).toBe(0);
    await untilAllEnd();
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "leaves no database process behind if %s interrupts it at any moment",
    async (signal) => {
      for (const ms of [300, 800, 1_200]) {
        const { process, ended } = await start(FAILING);
        await Promise.race([ended, sleep(ms)]);
        process.kill(signal);
        await ended;
        await untilAllEnd();
      }
    },
  );
});
