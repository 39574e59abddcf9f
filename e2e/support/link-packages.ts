import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Links if both folders are on the same file system, because unpacking packages would take half a minute.
 * @throws {Error} with the output of `cp`
 */
export function linkPackages(from: string, to: string): void {
  const [source, target] = [from, to].map((folder) => join(folder, "node_modules")) as [string, string];
  mkdirSync(target);
  // Other names that begin with a dot belong to records and caches of tools, which can be written to at any time.
  const names = readdirSync(source).filter((name) => name === ".bin" || !name.startsWith("."));
  const copy = (flags: string) =>
    spawnSync("cp", [flags, ...names, target], { cwd: source, encoding: "utf8" });
  if (copy("-al").status !== 0) {
    const { status, stderr } = copy("-a");
    if (status !== 0) throw new Error(`${source} is not copied: ${stderr}`);
  }
  // npm rewrites this file in place, so it must not be a link.
  copyFileSync(join(source, ".package-lock.json"), join(target, ".package-lock.json"));
}
