import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeTemplate } from "./template/write-template.ts";

/** `npm run template -- DIR`: writes a Next.js application of its own into DIR (docs/template.md). */

const USAGE = "Usage: npm run template -- DIR\nDIR is a folder that does not exist yet, or an empty one.";

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error(USAGE);
  const target = resolve(process.env.INIT_CWD ?? ".", folder);
  refuseOccupied(target);
  await writeTemplate(target);
  process.stdout.write(`Written to ${target}. Next:\n\n  cd ${target}\n  npm install\n  npm run dev\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** @throws {Error} when something stands there that the template would mix with */
function refuseOccupied(target: string): void {
  let entries: string[];
  try {
    entries = readdirSync(target);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw new Error(`${target} is not a folder. Name one that does not exist yet, or an empty one.`);
  }
  if (entries.length > 0) {
    throw new Error(`${target} is not empty. Name a folder that does not exist yet, or an empty one.`);
  }
}
