import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Skipped, type Stage } from "./stage.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The last version before releases were tagged. */
const UNTAGGED_RELEASE = "9b9b417d5d3ef18cb296d451423ebb892ba385cc";

/**
 * A clone of the version before this one, installed and built: the one that is named, or the last release. It is kept
 * below .data/, so that only the first run waits for it.
 * @returns its folder
 * @throws {Skipped} without the history that it is taken from
 */
export function prepareVersionBefore(stage: Stage): string {
  const wanted = stage.from ?? (git("rev-list", "--tags", "--max-count=1") || UNTAGGED_RELEASE);
  const commit = git("rev-parse", "--verify", "--quiet", `${wanted}^{commit}`);
  if (!commit) throw new Skipped(`needs ${wanted}, which this clone has not`);
  stage.say(`the version before: ${git("log", "-1", "--format=%h of %cs, %s", commit)}`);
  const folder = join(ROOT, ".data", "versions", commit);
  if (!existsSync(folder)) {
    git("clone", "--quiet", "--no-checkout", ROOT, folder);
    git("-C", folder, "checkout", "--quiet", "--detach", commit);
  }
  const { status } = spawnSync(process.execPath, [join("scripts", "run.mjs"), "package"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`the version before cannot be built in ${folder}`);
  return folder;
}

/** What git answers; nothing where it refuses. */
function git(...args: string[]): string {
  return spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout?.trim() ?? "";
}
