import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readOrExit } from "#lib/terminal/command-line.ts";
import { type PackageManifest, packageManifest, SERVER_ENTRY } from "./package/root-files.ts";
import { traceFiles } from "./package/trace-files.ts";
import { ensureBuild } from "./server/ensure-build.ts";
import { ROOT } from "./server/prepare.ts";
import { say } from "./server/tell-operator.ts";

/**
 * `npm run package`: the application in a folder of its own, `dist/`, with the files that it needs to run and no
 * others. It starts there with `node server.js`, on any Node from 22.18 on, with DATABASE_URL set.
 */

const DIST = join(ROOT, "dist");
const STANDALONE = join(ROOT, ".next", "standalone");

/** Entry points of the server and of the operator's command line. */
const ENTRIES = ["scripts/serve-built.ts", "scripts/admin.ts"];

/** Read at run time by a path that no tracer can follow. */
const READ_BY_PATH = [
  "prisma/migrations",
  "public",
  ".next/static",
  // The guides, which the application shows (lib/guides).
  ...globSync("docs/{*,decisions/*}.md", { cwd: ROOT }),
];

readOrExit(
  {
    program: "npm run package --",
    about: "Writes the application into dist/, with the files that it needs to run and no others.",
    commands: { "": { does: "start it there with `node server.js` (docs/operations.md)" } },
    options: {},
  },
  () => {},
);

await ensureBuild(ROOT, say);
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
// The files that the framework's tracer found for every page and route, without the server that it made.
for (const name of readdirSync(STANDALONE)) {
  if (!["server.js", "package.json"].includes(name)) copy(join(STANDALONE, name), join(DIST, name));
}
for (const path of [...(await traceFiles(ROOT, ENTRIES, STANDALONE)), ...READ_BY_PATH])
  copy(join(ROOT, path), join(DIST, path));
const manifest: PackageManifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
writeFileSync(join(DIST, "package.json"), `${JSON.stringify(packageManifest(manifest), null, 2)}\n`);
writeFileSync(join(DIST, "server.js"), SERVER_ENTRY);
say(`Packaged into ${DIST}: start it there with \`node server.js\`.`);

function copy(from: string, to: string): void {
  // Both tracers found this link; copying over it would write into the folder that it points to.
  if (lstatSync(to, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
