import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLineOrExit } from "#packages/terminal/command-line.ts";
import { findUnexplainedAdvisories } from "./dependencies/advisories.ts";

/**
 * `npm run audit`: runs npm's own audit, and omits the advisories that `scripts/dependencies/exceptions.json` explains.
 */

const UNANSWERED = 2;

readCommandLineOrExit(
  {
    program: "npm run audit --",
    about: "Runs npm audit, without the advisories that are explained (docs/dependencies.md).",
    commands: { "": { does: "lists the new ones: update the package, or explain why it is not affected" } },
    options: {},
    notes: "Exit: 0 nothing is new, 1 something is, 2 the registry did not answer.",
  },
  () => {},
  UNANSWERED,
);

const npm = process.env.npm_execpath;
const command: [string, string[]] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
const { stdout } = spawnSync(command[0], [...command[1], "audit", "--json"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
const fresh = findUnexplainedAdvisories(stdout ?? "");
if (fresh === null) {
  process.stderr.write("The registry gave no answer to npm audit. Try again where it is reachable.\n");
  process.exitCode = UNANSWERED;
} else {
  for (const { name, severity, range, title, url } of fresh)
    process.stdout.write(`${severity}: ${name} ${range}: ${title}\n  ${url}\n`);
  process.stdout.write(`${fresh.length} to be looked at.\n`);
  process.exitCode = fresh.length > 0 ? 1 : 0;
}
