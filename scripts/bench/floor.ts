import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, startServer } from "../kit/start-server.ts";

/**
 * The floor of the stack: what the framework by itself costs. A bare route handler, one that makes a single Prisma
 * query, and a bare page, on the application's own versions, served by `next start`.
 */

const SOURCE = join(import.meta.dirname, "floor");

/**
 * Builds the floor when its sources or the framework changed.
 * @param root the repository, whose packages and Prisma client it uses
 * @returns its folder
 */
export async function buildFloor(root: string): Promise<string> {
  const folder = join(root, ".data", "bench", "floor");
  await buildNextApp({ source: SOURCE, folder, packages: join(root, "node_modules") });
  return folder;
}

/** Starts the built floor. */
export function startFloor(root: string, folder: string, databaseUrl: string): Promise<RunningServer> {
  return startNext(join(root, "node_modules"), folder, "/bare", { DATABASE_URL: databaseUrl });
}

/** Copies a Next application's sources into a folder and builds it there, unless that stands already. */
export async function buildNextApp(app: { source: string; folder: string; packages: string }): Promise<void> {
  const next = readFileSync(join(app.packages, "next", "package.json"), "utf8");
  const stamp = join(app.folder, ".next", "bench-hash");
  const hash = hashFolder(app.source, next + process.version);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  rmSync(join(app.folder, ".next"), { recursive: true, force: true });
  mkdirSync(app.folder, { recursive: true });
  cpSync(app.source, app.folder, { recursive: true });
  await runTool([nextOf(app.packages), "build"], app.folder);
  writeFileSync(stamp, hash);
}

/** Starts a built Next application with `next start`. */
export function startNext(
  packages: string,
  folder: string,
  path: string,
  variables: Record<string, string>,
): Promise<RunningServer> {
  return startServer({
    args: [nextOf(packages), "start"],
    cwd: folder,
    ready: { path },
    env: (url) => ({ NEXTAUTH_URL: url, ...variables }),
  });
}

function nextOf(packages: string): string {
  return join(packages, "next", "dist", "bin", "next");
}

/** Runs a script with this Node; throws with what it printed when it fails. */
export function runTool(args: string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(" ")} failed (${code}):\n${output}`)),
    );
  });
}

/** A hash (hex) over the names and contents of a folder's files, and over `salt`. */
function hashFolder(folder: string, salt: string): string {
  const hash = createHash("sha256").update(salt);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const name of names) hash.update(`${name.slice(folder.length)}\0`).update(readFileSync(name));
  return hash.digest("hex");
}
