import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const EMBEDDED = new URL(import.meta.url.replace(/leave-at-exit(\.[jt]s)$/, "embedded$1")).href;

/**
 * Leaves the embedded database when this process exits, for where the framework ends it and waits for nobody. A
 * process of its own does it: an exiting one cannot wait for an answer.
 * @param root as given to `openEmbeddedDatabase`
 */
export function leaveAtExit(root: string): void {
  process.once("exit", () => {
    // A folder that was removed meanwhile is not made again.
    if (!existsSync(join(root, "postgres"))) return;
    const script = `const { openEmbeddedDatabase } = await import(${JSON.stringify(EMBEDDED)});
      const database = await openEmbeddedDatabase({ root: ${JSON.stringify(root)}, log() {} });
      await database.close();`;
    const args = ["--input-type=module", "--eval", script];
    spawn(process.execPath, args, { cwd: "/", detached: true, stdio: "ignore" }).unref();
  });
}
