import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readOrExit } from "#packages/terminal/command-line.ts";
import { readAdvisories, readAuditReport } from "./dependencies/advisories.ts";

/**
 * `npm run audit`: requests the advisories for the packages in package-lock.json from the registry and compares them
 * with scripts/dependencies/advisories.json. Exit status 0: the list explains every advisory. 1: there is a new
 * advisory, which needs an update or an explanation. 2: the registry did not answer. `npm test` checks the listed
 * advisories offline.
 */

const UNANSWERED = 2;

readOrExit(
  {
    program: "npm run audit --",
    about: "Compares the registry's advisories with those that are explained (docs/dependencies.md).",
    commands: { "": { does: "what is new is to be updated or explained" } },
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

const told = readAuditReport(stdout ?? "");
const explained = new Map(readAdvisories().map((advisory) => [advisory.id, advisory.unreachable]));
const fresh = told?.filter(({ id }) => !explained.get(id)) ?? [];

if (told === null) {
  process.stderr.write("The registry gave no answer to npm audit. Try again where it is reachable.\n");
  process.exitCode = UNANSWERED;
} else {
  for (const { id, package: name, severity, range, title } of fresh) {
    process.stdout.write(`${severity}: ${name} ${range}: ${title}\n  https://github.com/advisories/${id}\n`);
  }
  const known = told.length - fresh.length;
  process.stdout.write(
    `${fresh.length} to be looked at; ${known} known, which the application cannot reach.\n`,
  );
  process.exitCode = fresh.length > 0 ? 1 : 0;
}
