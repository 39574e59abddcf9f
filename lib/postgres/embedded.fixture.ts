/** A process of its own for embedded.test.ts: opens the database of a folder, and leaves at the end of its input. */
import { openEmbeddedDatabase } from "./embedded.ts";

const [root = ""] = process.argv.slice(2);
try {
  const database = await openEmbeddedDatabase({ root, log: () => {} });
  process.stdout.write(`${database.url}\n`);
  process.stdin.resume().once("end", () => database.close());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
