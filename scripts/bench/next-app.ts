import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../kit/run-tool.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";

type NextApp = {
  source: string;
  /** Where it is copied to and built, unless that stands already. */
  folder: string;
  /** The `node_modules` with its framework. */
  packages: string;
  /** What answers once it runs. */
  path: string;
};

/** Builds a Next application and starts it with `next start`. */
export async function startNextApp(
  { source, folder, packages, path }: NextApp,
  variables: Record<string, string>,
): Promise<RunningServer> {
  const next = join(packages, "next", "dist", "bin", "next");
  const version = readFileSync(join(packages, "next", "package.json"), "utf8") + process.version;
  const stamp = join(folder, ".next", "bench-hash");
  const hash = hashFolder(source, version);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
    rmSync(join(folder, ".next"), { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    const quiet = { NODE_ENV: "production", NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1" };
    await runTool(process.execPath, [next, "build"], { cwd: folder, variables: quiet });
    writeFileSync(stamp, hash);
  }
  return startServer({
    args: [next, "start"],
    cwd: folder,
    ready: { path },
    env: (url) => ({ NEXTAUTH_URL: url, ...variables }),
  });
}

/** A hash (hex) over the names and contents of a folder's files, and over `salt`. */
function hashFolder(folder: string, salt: string): string {
  const hash = createHash("sha256").update(salt);
  for (const name of globSync("**/*.*", { cwd: folder }).sort()) {
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}
