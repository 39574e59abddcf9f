import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { COMMAND_LINE } from "#packages/conformance/arguments.ts";
import { main } from "#packages/conformance/main.ts";
import { type CommandLine, readCommandLineOrExit } from "#packages/terminal/command-line.ts";
import { packPackage } from "./template/pack-package.ts";

/** `npm run conformance -- …`: tests a site, a wallet or an event receiver (docs/conformance.md). */

const cwd = process.env.INIT_CWD ?? process.cwd();
const program = "npm run conformance --";
const pack = { takes: "DIR", does: "writes the kit into DIR as a package, to be installed elsewhere" };

if (process.argv[2] === "pack") writePackage();
else {
  const line: CommandLine = { ...COMMAND_LINE, program, commands: { ...COMMAND_LINE.commands, pack } };
  process.exitCode = await main(process.argv.slice(2), { cwd, line });
}

function writePackage(): void {
  const into = readCommandLineOrExit(
    { program, about: "Writes the conformance kit as a package.", commands: { pack }, options: {} },
    ({ subjects: [folder = ""] }) => resolve(cwd, folder),
    2,
  );
  mkdirSync(into, { recursive: true });
  const { file } = packPackage("conformance", into);
  process.stdout.write(`Written to ${join(into, file)}. Install it with npm and run npx svc-conformance.\n`);
}
