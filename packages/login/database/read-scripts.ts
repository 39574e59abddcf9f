import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A `.sql` file in this package, and its name without the extension. */
export type Script = { name: string; sql: string };

/**
 * Reads the package's `.sql` files that match a pattern, sorted by name. Sites bundle this file, and bundlers set only
 * the URL of `import.meta`; its dirname is undefined in what Turbopack builds. Without the comment to Turbopack, a
 * build traces every file of the project into its output.
 * @throws {Error} if there are none, so that a build without the package's files fails instead of installing no
 * functions
 */
export function readScripts(pattern: string): Script[] {
  const cwd = join(dirname(fileURLToPath(import.meta.url)), "..");
  const files = globSync(pattern, { cwd }).sort();
  if (files.length === 0) throw new Error(`The package's files ${pattern} are missing from ${cwd}.`);
  return files.map((file) => ({
    name: basename(file, ".sql"),
    sql: readFileSync(/* turbopackIgnore: true */ join(cwd, file), "utf8"),
  }));
}
