import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** `name` does not include the extension. */
export type SqlFile = { name: string; sql: string };

/**
 * Uses `import.meta.url`, because Turbopack, which bundles this file on sites, leaves the object's `dirname` undefined.
 * Without the `turbopackIgnore` comment, a build would copy every file of the project into its output.
 * @throws {Error} if no file matches, so that a build without these files fails instead of installing no functions
 */
export function readSqlFiles(pattern: string): SqlFile[] {
  const cwd = join(dirname(fileURLToPath(import.meta.url)), "..");
  const files = globSync(pattern, { cwd }).sort();
  if (files.length === 0) throw new Error(`The package's files ${pattern} are missing from ${cwd}.`);
  return files.map((file) => ({
    name: basename(file, ".sql"),
    sql: readFileSync(/* turbopackIgnore: true */ join(cwd, file), "utf8"),
  }));
}
