import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { acquireLock } from "#packages/postgres/process-lock.mjs";
import { runChild } from "../bootstrap/run-child.mjs";

const SOURCES = [
  "app",
  "components",
  "lib",
  "packages",
  "public",
  "prisma",
  "instrumentation.ts",
  "instrumentation-node.ts",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/**
 * Does nothing unless the sources have changed since the last build.
 * @param print receives a message for the operator when the build takes a moment
 * @param forPackage true if Next.js's standalone output is also needed
 * @throws {Error} if the build fails; its output is on stderr
 */
export async function ensureBuild(
  root: string,
  print: (text: string) => void,
  forPackage = false,
): Promise<void> {
  const lock = await acquireLock(join(root, ".data", "locks", "build"), {
    onWait: () => print("Waiting for another process that is building…"),
  });
  try {
    const files = SOURCES.flatMap((source) => listFilesBelow(root, source)).filter(
      (file) => !/\.(test|fixture)\.tsx?$/.test(file),
    );
    const stamp = join(root, ".next", "sources-hash");
    if (forPackage && !existsSync(join(root, ".next", "standalone"))) rmSync(stamp, { force: true });
    await runOnce({ root, files, stamp }, async () => {
      print("Building… (only after a change)");
      await runBuild(root, forPackage);
    });
  } finally {
    lock.release();
  }
}

async function runBuild(root: string, forPackage: boolean): Promise<void> {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const { code, signal } = await runChild(process.execPath, [next, "build"], {
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NODE_OPTIONS: "" },
      FOR_PACKAGE: forPackage ? "true" : "",
    },
    stdio: ["ignore", 2, 2],
  });
  if (code !== 0) throw new Error(`The build failed (${signal ?? `exit code ${code}`}), see above.`);
}

/**
 * Does nothing if `act` has already run with these files and this version of Node.js.
 * @param of.files paths relative to `root`
 * @param of.stamp the file that records the input of the last run
 */
export async function runOnce(
  { root, files, stamp }: { root: string; files: readonly string[]; stamp: string },
  act: () => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256").update(process.version);
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  const digest = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await act();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

/** Sorted and relative to `root`. If `path` is a file, returns only this file. */
export function listFilesBelow(root: string, path: string): string[] {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}
