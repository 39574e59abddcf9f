/** What the package `@svc/postgres` exports. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedDatabase } from "./embedded.ts";

export { openEmbeddedDatabase };

/**
 * The URL of a PostgreSQL of the project's own, for development. It is made at the first start, and stops with the last
 * process that uses it.
 * @param root the folder that holds it, such as `.data`
 */
export async function ownDatabase(root: string): Promise<string> {
  const { url } = await openEmbeddedDatabase({ root, log: (line) => process.stdout.write(`${line}\n`) });
  leaveAtExit(root);
  return url;
}

/**
 * Leaves the embedded database when this process exits, for frameworks that end the process without waiting. Another
 * process does the leaving, since an exiting one cannot wait for an answer.
 * @param root as given to `openEmbeddedDatabase`
 */
export function leaveAtExit(root: string): void {
  process.once("exit", () => {
    // A folder that was removed in the meantime is not made again.
    if (!existsSync(join(root, "postgres"))) return;
    const script = `const { openEmbeddedDatabase } = await import(${JSON.stringify(import.meta.url)});
      const database = await openEmbeddedDatabase({ root: ${JSON.stringify(root)}, log() {} });
      await database.close();`;
    const args = ["--input-type=module", "--eval", script];
    spawn(process.execPath, args, { cwd: "/", detached: true, stdio: "ignore" }).unref();
  });
}
