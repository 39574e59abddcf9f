import { spawnSync } from "node:child_process";
import { Skipped } from "./stage.ts";

/**
 * Makes sure of a program, installing its Debian package where that is possible.
 * @throws {Skipped} where it is not
 */
export function ensureProgram(program: string, packageName: string): void {
  if (hasProgram(program)) return;
  installPackage(packageName);
  if (!hasProgram(program)) throw new Skipped(`needs ${program}; ${packageName} could not be installed`);
}

/**
 * Installs a Debian package.
 * @throws {Skipped} where this is no Debian, or its user not root
 */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0 || !hasProgram("apt-get")) {
    throw new Skipped(`needs the package ${name}; it is installed by root on Debian alone`);
  }
  spawnSync("apt-get", ["update"], { stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", name], { stdio: "ignore" });
}

function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}
