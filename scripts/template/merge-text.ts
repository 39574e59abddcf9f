import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The exit status of `git merge-file` is the number of conflicts, or at least this value if the command fails. */
const GIT_FAILED = 128;

/**
 * @param path the file's name in the patch
 * @param original the common ancestor of both; without it, the patch contains every difference
 * @returns null if the file contains all changes
 * @throws {Error} if git is not installed
 */
export function diffMissingChanges(
  path: string,
  { mine, original, theirs }: { mine: string; original: string | null; theirs: string },
): string | null {
  const folder = mkdtempSync(join(tmpdir(), "svc-merge-"));
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    put("mine", mine);
    put("theirs", theirs);
    if (original !== null) {
      put("original", original);
      const labels = ["yours", "generated", "this version"].flatMap((label) => ["-L", label]);
      const merged = git(folder, GIT_FAILED, "merge-file", "-p", ...labels, "mine", "original", "theirs");
      put("theirs", merged);
    }
    const diff = git(folder, 2, "diff", "--no-index", "--no-color", "--no-ext-diff", "--", "mine", "theirs");
    if (diff === "") return null;
    return diff
      .replace(/^(diff|index) .*\n/gm, "")
      .replace(/^--- .*$/m, `--- a/${path}`)
      .replace(/^\+\+\+ .*$/m, `+++ b/${path}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(cwd: string, failure: number, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync("git", args, { cwd, encoding: "utf8" });
  if (error) throw new Error("Install git: it compares your files with this version's.", { cause: error });
  if (status === null || status >= failure) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}
