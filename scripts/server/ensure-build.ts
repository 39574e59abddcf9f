import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "#lib/postgres/process-lock.mjs";

/** What a build is made of; when any of it changes, the next start builds again. */
const SOURCES = [
  "app",
  "components",
  "lib",
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
 * Builds the application when its sources differ from those of the last build.
 * @param root the repository
 * @param say tells the operator that it takes a moment
 * @throws {Error} when the build fails; what it printed stands on stderr
 */
export async function ensureBuild(root: string, say: (text: string) => void): Promise<void> {
  const stamp = join(root, ".next", "sources-hash");
  const lock = await acquireLock(join(root, ".data", "locks", "build"), {
    onWait: () => say("Waiting for another process that builds…"),
  });
  try {
    const hash = hashSources(root);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
    say("Building… (only after a change)");
    await runBuild(root);
    writeFileSync(stamp, hash);
  } finally {
    lock.release();
  }
}

function runBuild(root: string): Promise<void> {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NODE_OPTIONS: "" },
    stdio: ["ignore", 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`The build failed (${signal ?? `exit code ${code}`}), see above.`)),
    );
  });
}

function hashSources(root: string): string {
  const hash = createHash("sha256").update(process.version);
  const add = (path: string) =>
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  for (const source of SOURCES) {
    if (!existsSync(join(root, source))) continue;
    for (const file of filesBelow(root, source)) if (!/\.(test|fixture)\.tsx?$/.test(file)) add(file);
  }
  return hash.digest("hex");
}

function filesBelow(root: string, source: string): string[] {
  if (source.includes(".")) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
