import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Runs a test that takes minutes, unless it has passed with these very files, on this Node, before.
 * @param stamp the file that notes with what it passed
 */
export async function unlessPassed(files: string[], stamp: string, test: () => Promise<void>): Promise<void> {
  const hash = createHash("sha256").update(process.version);
  for (const path of files) hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  const digest = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await test();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}
