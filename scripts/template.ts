import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { readCommandLineOrExit, UsageError } from "#packages/terminal/command-line.ts";
import { findFolderFault } from "./bootstrap/find-folder-fault.mjs";
import { describeUpdate } from "./template/describe-update.ts";
import { updateTemplate } from "./template/update-template.ts";
import { writeTemplate } from "./template/write-template.ts";

/** `npm run template -- DIR`: creates a Next.js application in DIR, or updates it (docs/template.md). */

const { target, hosted, update, merged } = readCommandLineOrExit(
  {
    program: "npm run template --",
    about: "Writes a Next.js application with the login into a folder (docs/template.md).",
    commands: {
      "": { takes: "DIR", with: "[--hosted | --update]", does: "DIR does not exist yet, or is empty" },
    },
    options: {
      hosted: { does: "a customer of the hosted API, instead of a site with the login at its own endpoints" },
      update: { does: "updates DIR, which an earlier run wrote, except for what you have changed" },
      merged: {
        value: "FILE",
        multiple: true,
        does: "with --update: you have applied what you want from FILE's patch, so do not print it again",
      },
    },
  },
  ({ subjects: [folder = ""], values }) => {
    if (values.merged.length > 0 && !values.update) throw new UsageError("--merged belongs to --update.");
    return { ...values, target: resolve(process.env.INIT_CWD ?? ".", folder) };
  },
);

try {
  if (update) await bringUpToDate(target, merged);
  else await write(target, hosted);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function write(target: string, hosted: boolean): Promise<void> {
  refuseOccupied(target);
  await writeTemplate(hosted ? "hosted" : "site", target);
  const next = hosted ? "npm install\n  Set SVC_API_KEY and SVC_WEBHOOK_SECRET (README.md)" : "npm install";
  process.stdout.write(`Written to ${target}. Next:\n\n  cd ${target}\n  ${next}\n  npm run dev\n`);
}

async function bringUpToDate(target: string, merged: readonly string[]): Promise<void> {
  process.stdout.write(describeUpdate(target, await updateTemplate(target, { merged })));
}

/** @throws {Error} if the folder already contains other files */
function refuseOccupied(target: string): void {
  const fault = findFolderFault(target);
  if (fault) throw new Error(fault);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) {
    throw new Error(`${target} is not a folder. Name one that does not exist yet, or an empty one.`);
  }
  if (found && readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Name a folder that does not exist yet, or an empty one.`);
  }
}
