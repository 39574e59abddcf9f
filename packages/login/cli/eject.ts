import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Application, readTextFile, UnsupportedApplicationError } from "./application.ts";

const FOLDER = "components/svc-login";
/** Stores each copied file's hash, so that an update can find the copies that the owner has not changed. */
const NOTE = ".copied.json";
const SOURCES = "node_modules/@svc/react/src";

export function eject({ root, base }: Application): { folder: string; files: string[] } {
  const folder = join(base, FOLDER);
  if (existsSync(join(root, folder))) {
    throw new UnsupportedApplicationError(
      `${folder} exists already. npx svc-login update brings unchanged files up to date.`,
    );
  }
  const files = sourceFiles(root);
  cpSync(join(root, SOURCES), join(root, folder), { recursive: true });
  note(root, folder, files);
  return { folder, files };
}

/** `left` lists the files that the owner has changed. */
export function updateEjectedFiles({ root, base }: Application): { replaced: string[]; left: string[] } {
  const folder = join(base, FOLDER);
  const noted = readTextFile(root, join(folder, NOTE));
  if (noted === null)
    throw new UnsupportedApplicationError(`Nothing was copied: there is no ${join(folder, NOTE)}.`);
  const hashes: Record<string, string> = JSON.parse(noted);
  const replaced: string[] = [];
  const leftFiles: string[] = [];
  for (const file of sourceFiles(root)) {
    const current = readTextFile(root, join(folder, file));
    const fresh = readFileSync(join(root, SOURCES, file), "utf8");
    // A file that the owner has deleted is not restored.
    if (current === fresh || (current === null && hashes[file])) continue;
    const isUnchanged = current === null || hashOf(current) === hashes[file];
    (isUnchanged ? replaced : leftFiles).push(join(folder, file));
    if (!isUnchanged) continue;
    mkdirSync(dirname(join(root, folder, file)), { recursive: true });
    writeFileSync(join(root, folder, file), fresh);
    hashes[file] = hashOf(fresh);
  }
  writeFileSync(join(root, folder, NOTE), `${JSON.stringify(hashes, null, 2)}\n`);
  return { replaced, left: leftFiles };
}

function sourceFiles(root: string): string[] {
  if (!existsSync(join(root, SOURCES))) {
    throw new UnsupportedApplicationError(
      "The sources of @svc/react are not installed. Install its tarball first.",
    );
  }
  return globSync("**/*.{ts,tsx,css}", { cwd: join(root, SOURCES) }).toSorted();
}

function note(root: string, folder: string, files: readonly string[]): void {
  const hashes = files.map((file) => [file, hashOf(readTextFile(root, join(folder, file)) ?? "")]);
  writeFileSync(join(root, folder, NOTE), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
