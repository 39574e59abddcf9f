import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { readOrExit } from "#lib/conformance/command-line.ts";
import { HOSTED, SITE } from "./template/templates.ts";
import { writeTemplate } from "./template/write-template.ts";

/** `npm run template -- DIR [--hosted]`: writes a Next.js application of its own into DIR (docs/template.md). */

const { target, hosted } = readOrExit(
  {
    program: "npm run template --",
    about: "Writes a Next.js application with the login into a folder (docs/template.md).",
    commands: {
      "": { takes: "DIR", with: "[--hosted]", does: "DIR does not exist yet, or is empty" },
    },
    options: {
      hosted: { does: "a customer of the hosted API, instead of a site with the login at its own endpoints" },
    },
  },
  ({ subjects: [folder = ""], values }) => ({
    ...values,
    target: resolve(process.env.INIT_CWD ?? ".", folder),
  }),
);

try {
  await write(target, hosted);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function write(target: string, hosted: boolean): Promise<void> {
  refuseOccupied(target);
  await writeTemplate(hosted ? HOSTED : SITE, target);
  const next = hosted ? "npm install\n  Set SVC_API_KEY and SVC_WEBHOOK_SECRET (README.md)" : "npm install";
  process.stdout.write(`Written to ${target}. Next:\n\n  cd ${target}\n  ${next}\n  npm run dev\n`);
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
