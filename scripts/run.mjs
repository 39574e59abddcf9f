/*
 * node scripts/run.mjs NAME [arguments]: prepares a clone, and then runs scripts/NAME.ts or tools/NAME.ts.
 *
 * Every npm script starts with this file. It has no dependencies and runs on Node.js 20 or later, so a fresh clone
 * needs no other step. It installs the packages in package-lock.json that the command needs, downloads Node.js if the
 * machine's is too old, and generates the Prisma client. If all of this has been done, it takes a few milliseconds and
 * prints nothing.
 */
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../packages/postgres/process-lock.mjs";
import { findFolderFault } from "./bootstrap/find-folder-fault.mjs";
import { followShell } from "./bootstrap/follow-shell.mjs";
import {
  downloadNode,
  findDownloadedNode,
  findMachineNode,
  linkNodeForNpx,
  readPinnedVersion,
} from "./bootstrap/own-node.mjs";
import { generateClient, isClientGenerated } from "./bootstrap/prisma-client.mjs";
import { exitLikeChild, runChild } from "./bootstrap/run-child.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(root, "node_modules");
const LOCK_FILE = join(root, "package-lock.json");
/** npm's cache if the user's cache is read-only. */
const OWN_CACHE = join(root, ".data", "npm-cache");
/** Records the last complete installation. */
const STAMP = join(MODULES, ".installed.json");
/** These need the development dependencies. */
const NEED_TOOLS = ["test", "bench", "resilience", "mutate"];
const STDERR = 2;
const PROGRESS_MS = 5_000;

followShell();
try {
  const [name, ...args] = process.argv.slice(2);
  const script = ["scripts", "tools"].map((folder) => join(root, folder, `${name}.ts`)).find(existsSync);
  if (!script) throw new Error(`There is no script "${name ?? ""}" in scripts/ or tools/.`);
  const fault = findFolderFault(root);
  if (fault) throw new Error(fault);
  const node = await prepare(NEED_TOOLS.includes(name));
  // Every command loads hundreds of modules. Caching their compiled code halves the processor time of a start.
  process.env.NODE_COMPILE_CACHE ??= join(root, ".data", "compile-cache");
  exitLikeChild(
    await runChild(node, ["--disable-warning=ExperimentalWarning", script, ...args], { stdio: "inherit" }),
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/**
 * Installs and generates what is missing, and returns the path of the Node.js to use.
 * @param {boolean} withTools whether the development dependencies are needed
 */
async function prepare(withTools) {
  const present = findMachineNode(root) ?? findDownloadedNode(root);
  if (present && isInstalled(withTools) && isClientGenerated(root)) return present;

  // The lock is outside node_modules, because an installation deletes that folder.
  const lock = await acquireLock(join(root, ".data", "locks", "prepare"), {
    onWait: () => print("Waiting for another command that is preparing this clone…"),
  });
  try {
    const runNpm = (cwd, args) => npm(cwd, args, lock.include);
    const present = findMachineNode(root) ?? findDownloadedNode(root);
    const plan = isInstalled(withTools) ? null : planInstallation(withTools);
    announce(plan?.command, present);
    const [node] = await Promise.all([
      present ?? downloadNode(root, runNpm),
      plan && installDependencies(plan, runNpm),
    ]);
    rmSync(OWN_CACHE, { recursive: true, force: true });
    linkNodeForNpx(root);
    if (!isClientGenerated(root)) await generateClient(root, node, lock.include);
    return node;
  } finally {
    lock.release();
  }
}

function announce(command, node) {
  const first = command === "ci" && !existsSync(MODULES);
  const parts = [
    ...(command ? [first ? "the packages (180 MB)" : "the packages that are missing"] : []),
    ...(node ? [] : [`Node ${readPinnedVersion()} (65 MB), because this is ${process.versions.node}`]),
  ];
  if (parts.length > 0) print(`Downloading ${parts.join(" and ")} …`);
  if (first)
    print("The first start takes about a minute and 1 GB below this folder. Later starts take seconds.");
}

function isInstalled(withTools) {
  const stamp = readJson(STAMP);
  return stamp?.lock === lockFileHash() && (stamp.tools || !withTools);
}

/**
 * @returns {{ tools: boolean, command: "ci" | "install" | null }} `command` is null if a manual `npm install` has
 * already installed the packages
 */
function planInstallation(withTools) {
  // If the development dependencies are installed, a change to the lock file keeps them.
  const tools = withTools || existsSync(join(MODULES, "vitest"));
  // An interrupted installation might have left incomplete packages.
  if (existsSync(STAMP) && readJson(STAMP)?.lock === undefined) return { tools, command: "ci" };
  if (matchesLockFile(tools)) return { tools, command: null };
  // If the existing installation is complete, npm only has to add packages.
  return { tools, command: matchesLockFile(false) ? "install" : "ci" };
}

async function installDependencies({ tools, command }, runNpm) {
  if (command) {
    if (existsSync(MODULES)) writeFileSync(STAMP, "{}\n");
    const counting = setInterval(() => print(`  ${countInstalled(tools)} packages`), PROGRESS_MS);
    try {
      // The installation changes no file in the repository.
      await runNpm(root, [command, "--no-save", tools ? "--include=dev" : "--omit=dev"]);
    } finally {
      clearInterval(counting);
    }
  }
  writeFileSync(STAMP, `${JSON.stringify({ lock: lockFileHash(), tools })}\n`);
}

/** Each package is paired with its path. */
function wantedPackages(tools) {
  return Object.entries(readJson(LOCK_FILE)?.packages ?? {}).filter(
    ([path, { dev }]) => path !== "" && (tools || !dev),
  );
}

/** "140 of about 270". Packages for other platforms are never installed. */
function countInstalled(tools) {
  const requiredPackages = wantedPackages(tools).filter(([, { optional }]) => !optional);
  const installed = requiredPackages.filter(([path]) => existsSync(join(root, path, "package.json")));
  return `${installed.length} of ${requiredPackages.length}`;
}

function lockFileHash() {
  return createHash("sha256").update(readFileSync(LOCK_FILE)).digest("hex");
}

/** npm writes the copy at the end of every installation. */
function matchesLockFile(tools) {
  const present = readJson(join(MODULES, ".package-lock.json"))?.packages;
  if (!readJson(LOCK_FILE)?.packages || !present) return false;
  return wantedPackages(tools).every(([path, entry]) => {
    const found = present[path];
    // A package for another platform is optional and can be missing.
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {(pid: number) => void} onStart gets npm's process id
 */
async function npm(cwd, args, onStart) {
  const { command, args: before } = npmCommand();
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--no-update-notifier"];
  const { code, signal } = await runChild(command, [...before, ...args, ...quiet], {
    cwd,
    stdio: ["ignore", STDERR, STDERR],
    shell: command === "npm.cmd",
    env: installEnvironment(),
    onStart,
  });
  if (signal) throw new Error(`npm was stopped (${signal}).`);
  if (code !== 0) throw new Error(`npm failed with code ${code}; what it wrote is above.`);
}

/** The npm that started this process, or the one in PATH. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  // npm ci deletes node_modules, so the npm and the Node.js that run it must be in another folder.
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
    ...(canStoreIn(process.env.npm_config_cache) ? {} : { npm_config_cache: OWN_CACHE }),
    [pathName]: path.filter((entry) => !entry.startsWith(MODULES)).join(delimiter),
    // If this variable names an existing file, Prisma's install script does not download an engine, which would never
    // be used.
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
  };
}

/**
 * False if npm cannot store its downloads because the home folder is read-only.
 * @param {string | undefined} cache npm's folder; undefined if npm has not started this process
 */
function canStoreIn(cache) {
  try {
    if (cache === undefined) return true;
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function print(text) {
  process.stderr.write(`${text}\n`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
