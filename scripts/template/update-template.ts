import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findVulnerabilities, type Vulnerability } from "#packages/login/cli/find-vulnerabilities.ts";
import { isTarball, type Manifest, type ManifestMerge, mergeManifest } from "./merge-manifest.ts";
import { diffMissingChanges } from "./merge-text.ts";
import {
  findOriginalText,
  hashOf,
  listGeneratedFiles,
  type Originals,
  readOriginals,
  readText,
  recordOriginal,
  writeOriginals,
} from "./originals.ts";
import { writeTemplate } from "./write-template.ts";

/** Except for tarballs. */
export type Update = {
  replaced: string[];
  added: string[];
  /** Files that the owner has deleted and that this version changes. */
  deleted: string[];
  /** Files that this version no longer generates. */
  obsolete: string[];
  /** Files that the owner has changed and that therefore lack changes of this version, with a patch for each. */
  left: { path: string; patch: string; isOriginalKnown: boolean }[];
  manifest: Pick<ManifestMerge, "updated" | "left">;
  /** Known vulnerabilities: those that this update has fixed, and those that are still open. */
  closed: Vulnerability[];
  open: Vulnerability[];
};

const MANIFEST = "package.json";

/**
 * Does not replace files that the owner has changed.
 * @param merged files into which the owner has already merged this version's changes
 * @throws {Error} if the folder contains no generated site
 */
export async function updateTemplate(
  site: string,
  { merged = [], write = writeTemplate }: { merged?: readonly string[]; write?: typeof writeTemplate } = {},
): Promise<Update> {
  const originals = readOriginals(site);
  const vulnerabilities = findVulnerabilities(site);
  const fresh = join(mkdtempSync(join(tmpdir(), "svc-update-")), "site");
  try {
    await write(originals.template, fresh);
    const unknown = merged.filter((path) => !listGeneratedFiles(fresh).includes(path));
    if (unknown.length > 0) throw new Error(`This version generates no file ${unknown.join(", ")}.`);
    const files = updateFiles(site, fresh, originals, merged);
    const manifest = updateManifest(site, fresh, originals, merged.includes(MANIFEST));
    writeOriginals(site, originals);
    const open = findVulnerabilities(site);
    const closed = vulnerabilities.filter(
      ({ path }) => !open.some((vulnerability) => vulnerability.path === path),
    );
    return { ...files, manifest, closed, open };
  } finally {
    rmSync(dirname(fresh), { recursive: true, force: true });
  }
}

function updateFiles(site: string, fresh: string, originals: Originals, merged: readonly string[]) {
  const update: Pick<Update, "replaced" | "added" | "deleted" | "obsolete" | "left"> = {
    ...{ replaced: [], added: [], deleted: [], obsolete: [], left: [] },
  };
  const current = listGeneratedFiles(fresh);
  update.obsolete = [...originals.hashes.keys()].filter(
    (path) => !current.includes(path) && existsSync(join(site, path)),
  );
  for (const path of current.filter((path) => path !== MANIFEST)) {
    const outcome = merged.includes(path) ? "same" : updateFile(path, { site, fresh, originals });
    if (typeof outcome === "string") {
      if (outcome !== "same") update[outcome].push(path);
      recordOriginal(originals, path, readText(fresh, path));
      continue;
    }
    const { patch, original } = outcome;
    update.left.push({ path, patch, isOriginalKnown: original !== null });
    // The next update compares the file with the same original.
    if (original !== null) recordOriginal(originals, path, original);
  }
  return update;
}

type Folders = { site: string; fresh: string; originals: Originals };
type RemainingPatch = { patch: string; original: string | null };

/** Does not change the file if its owner has changed or deleted it. */
function updateFile(
  path: string,
  { site, fresh, originals }: Folders,
): "same" | "replaced" | "added" | "deleted" | RemainingPatch {
  const newer = readText(fresh, path);
  const generated = originals.hashes.get(path);
  if (generated === hashOf(newer)) return "same";
  const target = join(site, path);
  if (!existsSync(target)) {
    if (generated !== undefined) return "deleted";
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(fresh, path), target);
    return "added";
  }
  const current = readText(site, path);
  if (hashOf(current) === hashOf(newer)) return "same";
  if (hashOf(current) !== generated) {
    const original = findOriginalText(site, originals, path);
    const patch = diffMissingChanges(path, { mine: current, original, theirs: newer });
    return patch === null ? "same" : { patch, original };
  }
  copyFileSync(join(fresh, path), target);
  return "replaced";
}

/** Also replaces the old tarballs. */
function updateManifest(site: string, fresh: string, originals: Originals, isMerged: boolean) {
  const text = readText(site, MANIFEST);
  const current: Manifest = JSON.parse(text);
  const newer: Manifest = JSON.parse(readText(fresh, MANIFEST));
  const isUntouched = hashOf(text) === originals.hashes.get(MANIFEST);
  const original = isUntouched ? text : findOriginalText(site, originals, MANIFEST);
  const merge = mergeManifest(current, original && JSON.parse(original), newer);
  for (const name of tarballsOf(current)) rmSync(join(site, name), { force: true });
  for (const name of tarballsOf(merge.merged)) copyFileSync(join(fresh, name), join(site, name));
  writeFileSync(join(site, MANIFEST), `${JSON.stringify(merge.merged, null, 2)}\n`);
  recordOriginal(originals, MANIFEST, `${JSON.stringify(isMerged ? newer : merge.original, null, 2)}\n`);
  return { updated: merge.updated, left: isMerged ? [] : merge.left };
}

function tarballsOf({ dependencies, devDependencies }: Manifest): string[] {
  const versions = Object.values({ ...dependencies, ...devDependencies });
  return versions.filter(isTarball).map((version) => String(version).slice("file:".length));
}
