import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { main } from "#lib/conformance/main.ts";

/** `npm run conformance -- …`: proves a site, a wallet or a receiver of events (docs/conformance.md). */

const ROOT = join(import.meta.dirname, "..");

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  guide: pathToFileURL(join(ROOT, "docs", "conformance.md")).href,
});
