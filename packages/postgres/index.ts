/** The exports of the package `@svc/postgres`. */
import { openEmbeddedDatabase } from "./embedded.ts";

export { openEmbeddedDatabase };

/**
 * Returns the URL of a PostgreSQL server for the development of this project. The server is created at the first start,
 * and stops with the last process that uses it, however that process ends.
 * @param root the folder for the server's data, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  return (await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) })).url;
}
