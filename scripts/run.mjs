/*
 * node scripts/run.mjs NAME [arguments]: prepares a clone and runs scripts/NAME.ts or tools/NAME.ts in it.
 *
 * Every npm script starts with it. It has no dependency and runs on any Node >= 18, so that a
 * fresh clone needs no preparation: it installs what package-lock.json says, generates the
 * Prisma client, and hands over to the Node that the repository brings. If all of that is done
 * already, it takes a few milliseconds and prints nothing.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../packages/postgres/process-lock.mjs";
import { folderFault } from "./bootstrap/folder-fault.mjs";
import { followShell } from "./bootstrap/follow-shell.mjs";
import { generateClient, isClientGenerated } from "./bootstrap/prisma-client.mjs";
import { exitLike, runChild } from "./bootstrap/run-child.mjs";

/** The repository. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(root, "node_modules");
const LOCK_FILE = join(root, "package-lock.json");
/** Records the last complete installation. */
const STAMP = join(MODULES, ".installed.json");
/** The path of the Node that the npm package `node` brings, whether or not it exists. */
const BUNDLED = join(MODULES, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const STDERR = 2;
/** The oldest Node that runs `.ts` files without a flag. */
const OLDEST = [22, 18];

followShell();
try {
  const [name, ...args] = process.argv.slice(2);
  const script = ["scripts", "tools"].map((folder) => join(root, folder, `${name}.ts`)).find(existsSync);
  if (!script) throw new Error(`There is no script "${name ?? ""}" in scripts/ or tools/.`);
  const fault = folderFault(root);
  if (fault) throw new Error(fault);
  const node = await prepare();
  // Every command loads hundreds of modules: keeping their compiled code halves the processor time of a start.
  process.env.NODE_COMPILE_CACHE ??= join(root, ".data", "compile-cache");
  exitLike(
    await runChild(node, ["--disable-warning=ExperimentalWarning", script, ...args], { stdio: "inherit" }),
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Installs and generates what is missing, and returns the path of the Node to use. */
async function prepare() {
  const ready = installedDependencies();
  if (ready && isClientGenerated(root)) return repositoryNode(ready.bundledNodeWorks);

  // Outside node_modules, which an installation deletes.
  const lock = await acquireLock(join(root, ".data", "locks", "prepare"), {
    onWait: () => process.stderr.write("Waiting for another command that is preparing this clone…\n"),
  });
  try {
    const installed = installedDependencies() ?? (await installDependencies(lock.include));
    const node = repositoryNode(installed.bundledNodeWorks);
    if (!isClientGenerated(root)) await generateClient(root, node, lock.include);
    return node;
  } finally {
    lock.release();
  }
}

/**
 * What the last complete installation noted, or null when node_modules does not match the lock file.
 *
 * @returns {{ lock: string, bundledNodeWorks: boolean } | null}
 */
function installedDependencies() {
  const stamp = readJson(STAMP);
  return stamp?.lock === lockFileHash() ? stamp : null;
}

/**
 * Installs what the lock file says, unless an `npm install` done by hand already did.
 *
 * @param {(pid: number) => void} onStart gets npm's process id
 */
async function installDependencies(onStart) {
  if (!matchesLockFile()) {
    process.stderr.write(
      existsSync(MODULES)
        ? "Installing dependencies (package-lock.json changed) …\n"
        : "First start: installing dependencies, then building. It takes two to five minutes and 1.7 GB below this folder, 1.2 GB of them dependencies; Node and PostgreSQL are among them. Later starts take seconds.\n",
    );
    const { command, args } = npm();
    const ended = await runChild(
      command,
      [...args, "ci", "--no-audit", "--no-fund", "--include=dev", "--loglevel=error", "--no-update-notifier"],
      {
        cwd: root,
        stdio: ["ignore", STDERR, STDERR],
        shell: command === "npm.cmd",
        env: installEnvironment(),
        onStart,
      },
    );
    if (ended.signal) throw new Error(`npm ci was stopped (${ended.signal}).`);
    if (ended.code !== 0)
      throw new Error(`npm ci failed with code ${ended.code}; what it wrote stands above.`);
  }
  const stamp = { lock: lockFileHash(), bundledNodeWorks: bundledNodeStarts() };
  writeFileSync(STAMP, `${JSON.stringify(stamp)}\n`);
  return stamp;
}

/**
 * The Node to run scripts with: the bundled one, else the one that runs this.
 *
 * @param {boolean} bundledWorks the result of `bundledNodeStarts` after the installation
 * @throws {Error} if neither can run them
 */
function repositoryNode(bundledWorks) {
  if (bundledWorks && existsSync(BUNDLED)) return BUNDLED;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath;
  throw new Error(
    `Node ${OLDEST.join(".")} or newer is needed, and this is ${process.versions.node}. ` +
      "The repository brings its own through npm, but npm did not set it up: either there is none for " +
      `${process.platform}-${process.arch}, or install scripts are switched off (npm config get ignore-scripts). ` +
      "Run `npm rebuild node --ignore-scripts=false` in the repository, or install a newer Node.",
  );
}

/** Whether the bundled Node starts. On musl, for example, it exists but does not start. Takes about 20 ms. */
function bundledNodeStarts() {
  return spawnSync(BUNDLED, ["--version"]).status === 0;
}

function lockFileHash() {
  return createHash("sha256").update(readFileSync(LOCK_FILE)).digest("hex");
}

/** Compares the lock file with the copy of it that npm leaves at the end of every installation. */
function matchesLockFile() {
  const wanted = readJson(LOCK_FILE)?.packages;
  const present = readJson(join(MODULES, ".package-lock.json"))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    // A package for another platform is optional, and may be missing.
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** The command for the npm that started this process, else for the one in PATH. */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  // npm ci deletes node_modules, so npm and the Node that runs it must not come from there.
  const stays = (path) => !path.startsWith(MODULES + sep);
  if (script && /npm-cli\.c?js$/.test(script) && existsSync(script) && stays(script) && stays(node)) {
    return { command: node, args: [script] };
  }
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };
}

function installEnvironment() {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const path = (process.env[pathName] ?? "").split(delimiter);
  return {
    ...process.env,
    [pathName]: path.filter((entry) => !entry.startsWith(MODULES)).join(delimiter),
    // Any existing file keeps Prisma's install script from downloading an engine that is never used.
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
  };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
