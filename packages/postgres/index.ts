/** The exports of the package `@svc/postgres`. */
import { openEmbeddedDatabase } from "./embedded.ts";

export { openEmbeddedDatabase };

/**
 * The URL of a PostgreSQL of the project's own, for development. It is made at the first start, and stops with the last
 * process that uses it, however that ends.
 * @param root the folder that holds it, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  return (await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) })).url;
}
