/* Makes node_modules match package-lock.json, and finds the Node that it brings. Any Node >= 18, nothing installed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { runChild } from "./run-child.mjs";

const STDERR = 2;
/** The oldest Node that runs `.ts` files by itself. */
const OLDEST = [22, 18];

/**
 * What the last complete installation noted, or null when node_modules does not match the lock file.
 *
 * @param {string} root the repository
 * @returns {{ lock: string, bundledNodeWorks: boolean } | null}
 */
export function installedDependencies(root) {
  const stamp = readJson(stampFile(root));
  return stamp?.lock === lockFileHash(root) ? stamp : null;
}

/**
 * Installs what the lock file says, unless an `npm install` done by hand already did.
 *
 * @param {string} root the repository
 * @param {(pid: number) => void} onStart gets npm's process id
 */
export async function installDependencies(root, onStart) {
  if (!matchesLockFile(root)) {
    process.stderr.write(
      existsSync(join(root, "node_modules"))
        ? "Installing dependencies (package-lock.json changed) …\n"
        : "First start: installing dependencies, then building. It takes two to five minutes and 1.7 GB below this folder, 1.2 GB of them dependencies; Node and PostgreSQL are among them. Later starts take seconds.\n",
    );
    const { command, args } = npm(root);
    const ended = await runChild(
      command,
      [...args, "ci", "--no-audit", "--no-fund", "--include=dev", "--loglevel=error", "--no-update-notifier"],
      {
        cwd: root,
        stdio: ["ignore", STDERR, STDERR],
        shell: command === "npm.cmd",
        env: installEnvironment(root),
        onStart,
      },
    );
    if (ended.signal) throw new Error(`npm ci was stopped (${ended.signal}).`);
    if (ended.code !== 0)
      throw new Error(`npm ci failed with code ${ended.code}; what it wrote stands above.`);
  }
  const stamp = { lock: lockFileHash(root), bundledNodeWorks: bundledNodeStarts(root) };
  writeFileSync(stampFile(root), `${JSON.stringify(stamp)}\n`);
  return stamp;
}

/**
 * The Node to run scripts with: the bundled one, else the one that runs this.
 *
 * @param {string} root the repository
 * @param {boolean} bundledWorks what bundledNodeStarts said after the installation
 * @throws {Error} when there is none that can
 */
export function repositoryNode(root, bundledWorks) {
  const bundled = bundledNode(root);
  if (bundledWorks && existsSync(bundled)) return bundled;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath;
  throw new Error(
    `Node ${OLDEST.join(".")} or newer is needed, and this is ${process.versions.node}. ` +
      "The repository brings its own through npm, but npm did not set it up: either there is none for " +
      `${process.platform}-${process.arch}, or install scripts are switched off (npm config get ignore-scripts). ` +
      "Run `npm rebuild node --ignore-scripts=false` in the repository, or install a newer Node.",
  );
}

/** The Node that the npm package `node` brings, whether it is there or not. */
function bundledNode(root) {
  return join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Whether the bundled Node starts: on musl, for one, it is there and does not. Takes about 20 ms. */
function bundledNodeStarts(root) {
  return spawnSync(bundledNode(root), ["--version"]).status === 0;
}

function stampFile(root) {
  return join(root, "node_modules", ".installed.json");
}

function lockFileHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Compares the lock file with the copy of it that npm leaves at the end of every installation. */
function matchesLockFile(root) {
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  const present = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    // A package for another platform is optional, and rightly not there.
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** npm as it was started for us, else the one in PATH. */
function npm(root) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  // npm ci deletes node_modules, so neither npm nor the Node that runs it may come from there.
  const stays = (path) => !path.startsWith(join(root, "node_modules") + sep);
  if (script && /npm-cli\.c?js$/.test(script) && existsSync(script) && stays(script) && stays(node)) {
    return { command: node, args: [script] };
  }
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };
}

function installEnvironment(root) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const path = (process.env[pathName] ?? "").split(delimiter);
  return {
    ...process.env,
    [pathName]: path.filter((entry) => !entry.startsWith(join(root, "node_modules"))).join(delimiter),
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
