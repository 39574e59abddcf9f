import { openEmbeddedDatabase } from "./embedded.ts";
import { leaveAtExit } from "./leave-at-exit.ts";

/** What the package `@svc/postgres` exports. */
export { leaveAtExit, openEmbeddedDatabase };

/**
 * The URL of a PostgreSQL of the project's own, for development: made at the first start, and left when the process
 * ends.
 * @param root the folder that holds it, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  const { url } = await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) });
  leaveAtExit(root);
  return url;
}
