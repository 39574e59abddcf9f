import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A hash (hex) over the names and contents of a folder's files, and over `salt`. */
export function hashFolder(folder: string, salt: string): string {
  const hash = createHash("sha256").update(salt);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const name of names) hash.update(`${name.slice(folder.length)}\0`).update(readFileSync(name));
  return hash.digest("hex");
}
