import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { main } from "#packages/conformance/main.ts";
import { readOrExit } from "#packages/terminal/command-line.ts";
import { packPackage } from "./template/pack-package.ts";

/** `npm run conformance -- …`: checks a site, a wallet or a receiver of events (docs/conformance.md). */

const cwd = process.env.INIT_CWD ?? process.cwd();

if (process.argv[2] === "pack") pack();
else process.exitCode = await main(process.argv.slice(2), { cwd });

/** `pack DIR`: writes the kit as a package, to be installed elsewhere. */
function pack(): void {
  const into = readOrExit(
    {
      program: "npm run conformance --",
      about: "Writes the conformance kit as a package, to be installed elsewhere.",
      commands: { pack: { takes: "DIR", does: "writes the tarball into DIR" } },
      options: {},
    },
    ({ subjects: [folder = ""] }) => resolve(cwd, folder),
    2,
  );
  mkdirSync(into, { recursive: true });
  const { file } = packPackage("conformance", into);
  process.stdout.write(`Written to ${join(into, file)}. Install it with npm and run npx svc-conformance.\n`);
}
