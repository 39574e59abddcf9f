import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { filesBelow } from "../server/ensure-build.ts";
import { HOSTED, SITE } from "./templates.ts";
import { hashOf, WRITTEN, type Written, writeTemplate } from "./write-template.ts";

/** What an update did with the files, except tarballs. */
type Update = {
  replaced: string[];
  added: string[];
  /** Files that the owner has changed or deleted. They are left as they are; `diff` shows what changed. */
  left: { path: string; diff: string }[];
};

/**
 * Brings a generated site up to this version: the packages, and the files that its owner has not changed.
 * @throws {Error} if no template was written into the folder
 */
export async function updateTemplate(
  target: string,
  write: typeof writeTemplate = writeTemplate,
): Promise<Update> {
  const note = join(target, WRITTEN);
  if (!existsSync(note)) {
    throw new Error(
      `${target} has no ${WRITTEN}: it was not written by \`npm run template\`, or before it kept one.`,
    );
  }
  const before: Written = JSON.parse(readFileSync(note, "utf8"));
  const fresh = join(mkdtempSync(join(tmpdir(), "svc-update-")), "site");
  try {
    await write(before.template === "hosted" ? HOSTED : SITE, fresh);
    const update = mergeFiles(target, fresh, before);
    replacePackages(target, fresh);
    copyFileSync(join(fresh, WRITTEN), note);
    return update;
  } finally {
    rmSync(dirname(fresh), { recursive: true, force: true });
  }
}

function mergeFiles(target: string, fresh: string, before: Written): Update {
  const update: Update = { replaced: [], added: [], left: [] };
  // npm writes to package.json too, so it is merged separately.
  const paths = filesBelow(fresh, ".").filter(
    (path) => !/\.tgz$|^package\.json$/.test(path) && path !== WRITTEN,
  );
  for (const path of paths) {
    const [mine, theirs] = [join(target, path), join(fresh, path)];
    const original = before.files[path];
    const has = existsSync(mine);
    // Skip what did not change upstream, and what equals the new version already.
    if (original === hashOf(theirs) || (has && hashOf(mine) === hashOf(theirs))) continue;
    if (!has && original !== undefined) update.left.push({ path, diff: "You have deleted it.\n" });
    else if (has && hashOf(mine) !== original) update.left.push({ path, diff: diffOf(mine, theirs) });
    else {
      update[has ? "replaced" : "added"].push(path);
      mkdirSync(dirname(mine), { recursive: true });
      copyFileSync(theirs, mine);
    }
  }
  return update;
}

/** The diff from the owner's file to the new one. */
function diffOf(mine: string, theirs: string): string {
  const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--", mine, theirs];
  const { stdout, error } = spawnSync("git", args, { encoding: "utf8" });
  return error
    ? "Without git there is no comparison.\n"
    : stdout
        .replace(/^(diff|index) .*\n/gm, "")
        .replace(/^--- .*$/m, "--- yours")
        .replace(/^\+\+\+ .*$/m, "+++ this version");
}

type Dependencies = Record<string, string>;
type Manifest = { dependencies?: Dependencies; devDependencies?: Dependencies };

/** Puts the new tarballs in the place of the old ones, and leaves the owner's other packages alone. */
function replacePackages(target: string, fresh: string): void {
  const file = join(target, "package.json");
  const mine: Manifest = JSON.parse(readFileSync(file, "utf8"));
  const theirs: Manifest = JSON.parse(readFileSync(join(fresh, "package.json"), "utf8"));
  for (const [name, tarball] of Object.entries({ ...theirs.dependencies, ...theirs.devDependencies })) {
    if (!tarball.startsWith("file:")) continue;
    for (const listed of [mine.dependencies, mine.devDependencies]) {
      const old = listed?.[name];
      if (!listed || old === undefined) continue;
      if (/^file:[^/]+\.tgz$/.test(old)) rmSync(join(target, old.slice("file:".length)), { force: true });
      listed[name] = tarball;
    }
    const path = tarball.slice("file:".length);
    copyFileSync(join(fresh, path), join(target, path));
  }
  writeFileSync(file, `${JSON.stringify(mine, null, 2)}\n`);
}
