/** The exports of the package `@svc/postgres`. */
import { openEmbeddedDatabase } from "./embedded.ts";

export { openEmbeddedDatabase };

/**
 * The URL of a PostgreSQL server for this project, for development. It is created at the first start, and stops with the last
 * process that uses it, however that process ends.
 * @param root the folder for it, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  return (await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) })).url;
}
