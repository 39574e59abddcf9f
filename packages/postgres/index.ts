import { openEmbeddedDatabase } from "./embedded.ts";

export { openEmbeddedDatabase };

/**
 * Starts a PostgreSQL server for developing this project, and returns its URL. The server stops with the last process
 * that uses it, however that process ends.
 * @param root the folder for the server's data, such as `.data`
 */
export async function startPostgres(root: string): Promise<string> {
  return (await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) })).url;
}

/** @deprecated `startPostgres` */
export const ownDatabase = startPostgres;
