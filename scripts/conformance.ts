import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { main } from "#lib/conformance/main.ts";
import { packPackage } from "./template/pack-package.ts";
import { CONFORMANCE_KIT } from "./template/packages.ts";

/** `npm run conformance -- …`: proves a site, a wallet or a receiver of events (docs/conformance.md). */

const cwd = process.env.INIT_CWD ?? process.cwd();
const guide = pathToFileURL(join(import.meta.dirname, "..", "docs", "conformance.md")).href;
const [verb, folder, ...others] = process.argv.slice(2);

if (verb === "pack") process.exitCode = pack();
else process.exitCode = await main(process.argv.slice(2), { cwd, guide });

/** `pack DIR`: writes the kit as a package, to be installed elsewhere. */
function pack(): 0 | 2 {
  if (folder === undefined || others.length > 0) {
    process.stderr.write("Name the folder for the package: npm run conformance -- pack DIR\n");
    return 2;
  }
  const into = resolve(cwd, folder);
  mkdirSync(into, { recursive: true });
  const { file } = packPackage(CONFORMANCE_KIT, into);
  process.stdout.write(`Written to ${join(into, file)}. Install it with npm and run npx svc-conformance.\n`);
  return 0;
}
