import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives a folder the packages that are installed in another, as links where both are on one file system: to unpack
 * them takes half a minute.
 * @throws {Error} with what `cp` said
 */
export function linkPackages(from: string, to: string): void {
  const [source, target] = [from, to].map((folder) => join(folder, "node_modules")) as [string, string];
  mkdirSync(target);
  // The others are notes and caches of tools, which may be written to at any time.
  const names = readdirSync(source).filter((name) => name === ".bin" || !name.startsWith("."));
  const copy = (flags: string) =>
    spawnSync("cp", [flags, ...names, target], { cwd: source, encoding: "utf8" });
  if (copy("-al").status !== 0) {
    const { status, stderr } = copy("-a");
    if (status !== 0) throw new Error(`${source} is not copied: ${stderr}`);
  }
  // npm's own note is written in place, so it is no link.
  copyFileSync(join(source, ".package-lock.json"), join(target, ".package-lock.json"));
}
