import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { listFilesBelow } from "../server/ensure-build.ts";

/** An update compares a site's generated files with the current files (`update-template.ts`). */
export const ORIGINALS_FILE = ".svc-template.json";

export type TemplateName = "site" | "hosted";

type StoredOriginals = {
  template: TemplateName;
  /** The hash of each file as it was generated. */
  files: Record<string, string>;
  /** The files as a compressed JSON object in base64. Sites of the first versions have only hashes. */
  originals?: string;
};

/** A site's files as they were generated, or as its owner last merged them. */
export type Originals = {
  template: TemplateName;
  hashes: Map<string, string>;
  texts: Map<string, string>;
};

/** @throws {Error} if the folder contains no generated site */
export function readOriginals(site: string): Originals {
  const note = join(site, ORIGINALS_FILE);
  if (!existsSync(note)) {
    throw new Error(
      `${site} has no ${ORIGINALS_FILE}: it was not written by \`npm run template\`, or before it kept one.`,
    );
  }
  const { template, files, originals }: StoredOriginals = JSON.parse(readFileSync(note, "utf8"));
  const texts = originals ? JSON.parse(gunzipSync(Buffer.from(originals, "base64")).toString()) : {};
  return { template, hashes: new Map(Object.entries(files)), texts: new Map(Object.entries(texts)) };
}

export function writeOriginals(site: string, { template, hashes, texts }: Originals): void {
  const written: StoredOriginals = {
    template,
    files: Object.fromEntries(hashes),
    originals: gzipSync(JSON.stringify(Object.fromEntries(texts))).toString("base64"),
  };
  // The record is not indented, because people need not read it.
  writeFileSync(join(site, ORIGINALS_FILE), JSON.stringify(written));
}

/** The folder's next update needs them. */
export function recordGenerated(folder: string, template: TemplateName): void {
  const originals: Originals = { template, hashes: new Map(), texts: new Map() };
  for (const path of listGeneratedFiles(folder)) recordOriginal(originals, path, readText(folder, path));
  writeOriginals(folder, originals);
}

/** Omits packages and this record. */
export function listGeneratedFiles(folder: string): string[] {
  return listFilesBelow(folder, ".").filter((path) => !path.endsWith(".tgz") && path !== ORIGINALS_FILE);
}

export function recordOriginal({ hashes, texts }: Originals, path: string, text: string): void {
  hashes.set(path, hashOf(text));
  texts.set(path, text);
}

export const readText = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

/** Ignores the version number in the text's first line. */
export function hashOf(text: string): string {
  const withoutVersion = text.replace(/^(.{0,3}Copied from svc-login) [^ ,]+/, "$1");
  return createHash("sha256").update(withoutVersion).digest("hex");
}

/** The maximum number of a file's revisions that are compared with the generated file. */
const MAX_REVISIONS = 200;

/**
 * For a site that was generated before originals were stored, looks in the site's git history.
 * @returns null if it cannot be found
 */
export function findOriginalText(site: string, { hashes, texts }: Originals, path: string): string | null {
  const cached = texts.get(path);
  if (cached !== undefined) return cached;
  const git = (...args: string[]) => spawnSync("git", args, { cwd: site, encoding: "utf8" }).stdout ?? "";
  const revisions = git("log", "--format=%H", `--max-count=${MAX_REVISIONS}`, "--", path).split("\n");
  for (const revision of revisions.filter(Boolean)) {
    const text = git("show", `${revision}:./${path}`);
    if (hashOf(text) === hashes.get(path)) return text;
  }
  return null;
}
