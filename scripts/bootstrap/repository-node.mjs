/* Which Node runs the application. Any Node >= 18 can read this file. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node that runs `.ts` files by itself. */
const OLDEST = [22, 18];

/** The Node that the npm package `node` brings, whether it is there or not. */
export function bundledNode(root) {
  return join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Whether the bundled Node starts: on musl, for one, it is there and does not. Takes about 20 ms. */
export function bundledNodeStarts(root) {
  return spawnSync(bundledNode(root), ["--version"]).status === 0;
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
