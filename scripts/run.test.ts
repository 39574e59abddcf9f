import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

/** A clone in small: this bootstrap, nothing to install, and a Prisma that notes each time it generates. */
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "svc clone "));
  cpSync(join(import.meta.dirname, "run.mjs"), join(clone, "scripts", "run.mjs"));
  cpSync(join(import.meta.dirname, "bootstrap"), join(clone, "scripts", "bootstrap"), { recursive: true });
  const lock = "packages/postgres/process-lock.mjs";
  cpSync(join(import.meta.dirname, "..", lock), join(clone, lock));
  write("package.json", `{ "name": "clone", "version": "1.0.0", "type": "module" }`);
  write(
    "package-lock.json",
    `{ "name": "clone", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": {} } }`,
  );
  write("node_modules/.package-lock.json", `{ "packages": {} }`);
  write("node_modules/prisma/package.json", `{ "version": "1.0.0" }`);
  write(
    "node_modules/prisma/build/index.js",
    `require("fs").appendFileSync("generations", "x"); setTimeout(() => require("fs").mkdirSync("generated"), 300);`,
  );
  write("prisma/schema.prisma", "");
  write("prisma.config.ts", "");
  write(
    "scripts/echo.ts",
    "const args: string[] = process.argv.slice(2); console.log(JSON.stringify(args), process.cwd());",
  );
});

afterEach(() => rmSync(clone, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(clone, path, ".."), { recursive: true });
  writeFileSync(join(clone, path), text);
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

function run(
  args: string[],
  onOutput: (child: ChildProcess) => void = () => {},
  nodeFlags: string[] = [],
): Promise<Ended> {
  // Started from elsewhere, as with npm --prefix.
  const script = join(clone, "scripts", "run.mjs");
  const child = spawn(process.execPath, [...nodeFlags, script, ...args], { cwd: tmpdir() });
  const ended = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    ended.stdout += chunk;
    onOutput(child);
  });
  child.stderr.on("data", (chunk) => {
    ended.stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ ...ended, code, signal })));
}

test("prepares a clone once for two simultaneous commands, and does nothing for the next one", async () => {
  const both = await Promise.all([run(["echo"]), run(["echo"])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("x");

  const third = await run(["echo", "a b", "--flag"]);
  expect(third).toMatchObject({ code: 0, stderr: "", stdout: `["a b","--flag"] ${tmpdir()}\n` });
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("x");
});

test("names the version that it needs and what to do if npm brought no Node and this one is too old", async () => {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
  expect(await run(["echo"], () => {}, ["--import", `data:text/javascript,${older}`])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /Node 22\.18 or newer is needed, and this is 20\.20\.2\..*npm rebuild node/,
    ),
  });
});

test("refuses a clone in a folder with a # before the installation, and says what to do", async () => {
  const moved = join(clone, "app #1");
  for (const part of ["scripts", "packages"])
    cpSync(join(clone, part), join(moved, part), { recursive: true });
  const script = join(moved, "scripts", "run.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "echo"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^The path .*app #1 has a "#", with which .* Rename the folder that has it, or use another\.\n$/,
  );
});

test("generates the client again after the schema changed", async () => {
  await run(["echo"]);
  write("prisma/schema.prisma", "// changed");
  await run(["echo"]);
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("xx");
});

test("shows a failed generation and stops the command", async () => {
  write("node_modules/prisma/build/index.js", `console.log("no such field"); process.exit(1);`);
  expect(await run(["echo"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("no such field"),
  });
});

test("runs npm ci for missing packages, and its failure stops the command", async () => {
  write("package-lock.json", "<<<<<<< a conflict");
  const ended = await run(["echo"]);
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("npm ci failed") });
});

test("passes SIGTERM on to the script and returns its exit code", async () => {
  write(
    "scripts/wait.ts",
    `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("up");`,
  );
  expect(await run(["wait"], (child) => child.kill("SIGTERM"))).toMatchObject({ code: 7, signal: null });
});

/** Runs a command as npm does: in a shell, which does not pass a signal on. */
async function runInShell(
  script: string,
): Promise<{ shell: ChildProcess; pid: number; output: () => string }> {
  const command = `"${process.execPath}" "${join(clone, "scripts", "run.mjs")}" ${script}`;
  const shell = spawn("/bin/sh", ["-c", `${command}; :`], {
    env: { ...process.env, npm_lifecycle_script: command },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  // With what it has started.
  onTestFinished(() => {
    if (shell.pid && isRunning(-shell.pid)) process.kill(-shell.pid, "SIGKILL");
  });
  let output = "";
  shell.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/^\d+\n/);
  return { shell, pid: Number(output.split("\n")[0]), output: () => output };
}

test("ends a script with SIGTERM when npm's shell has ended, so that it can finish its work", async () => {
  await run(["echo"]);
  write(
    "scripts/wait.ts",
    `process.on("SIGTERM", () => { console.log("finished"); process.exit(0); });
     setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  const { shell, pid, output } = await runInShell("wait");
  shell.kill("SIGTERM");
  await expect.poll(output, { timeout: 20_000 }).toContain("finished");
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("ends with the same signal that ended its script", async () => {
  write("scripts/dies.ts", `process.kill(process.pid, "SIGKILL");`);
  expect(await run(["dies"])).toMatchObject({ code: null, signal: "SIGKILL" });
});

test("names a missing script", async () => {
  expect(await run(["nothing"])).toMatchObject({
    code: 1,
    stderr: 'There is no script "nothing" in scripts/ or tools/.\n',
  });
});
