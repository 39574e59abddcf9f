import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { readOrExit } from "#lib/terminal/command-line.ts";
import { HOSTED, SITE } from "./template/templates.ts";
import { updateTemplate } from "./template/update-template.ts";
import { writeTemplate } from "./template/write-template.ts";

/** `npm run template -- DIR`: writes a Next.js application into DIR, or brings one up to date (docs/template.md). */

const { target, hosted, update } = readOrExit(
  {
    program: "npm run template --",
    about: "Writes a Next.js application with the login into a folder (docs/template.md).",
    commands: {
      "": { takes: "DIR", with: "[--hosted | --update]", does: "DIR does not exist yet, or is empty" },
    },
    options: {
      hosted: { does: "a customer of the hosted API, instead of a site with the login at its own endpoints" },
      update: { does: "brings DIR, written before, up to date, but for what its owner has changed" },
    },
  },
  ({ subjects: [folder = ""], values }) => ({
    ...values,
    target: resolve(process.env.INIT_CWD ?? ".", folder),
  }),
);

try {
  if (update) await bringUpToDate(target);
  else await write(target, hosted);
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

async function bringUpToDate(target: string): Promise<void> {
  const { replaced, added, left } = await updateTemplate(target);
  const list = (what: string, paths: string[]) =>
    paths.length > 0 && process.stdout.write(`${what}\n${paths.map((path) => `  ${path}\n`).join("")}\n`);
  list("Replaced, since you had not changed them:", replaced);
  list("New:", added);
  for (const { path, diff } of left) {
    process.stdout.write(`Changed here and by you, so left as it is: ${path}\n\n${diff}\n`);
  }
  process.stdout.write(`The packages in ${target} are this version's. Next: npm install ./svc-*.tgz\n`);
}

/** @throws {Error} if something is there that the template would mix with */
function refuseOccupied(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) {
    throw new Error(`${target} is not a folder. Name one that does not exist yet, or an empty one.`);
  }
  if (found && readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Name a folder that does not exist yet, or an empty one.`);
  }
}
