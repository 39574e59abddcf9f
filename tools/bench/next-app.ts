import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow, unlessDone } from "../../scripts/server/ensure-build.ts";
import { runTool } from "../kit/run-tool.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";

type NextApp = {
  source: string;
  /** Where it is copied to and built. */
  folder: string;
  /** The `node_modules` with its framework. */
  packages: string;
  /** Its output once it is ready. */
  path: string;
};

/** Builds a Next application and starts it with `next start`. */
export async function startNextApp(
  { source, folder, packages, path }: NextApp,
  variables: Record<string, string>,
): Promise<RunningServer> {
  const next = join(packages, "next", "dist", "bin", "next");
  const files = [...filesBelow(source, "."), relative(source, join(packages, "next", "package.json"))];
  await unlessDone({ root: source, files, stamp: join(folder, ".next", "bench-hash") }, async () => {
    rmSync(join(folder, ".next"), { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    const quiet = { NODE_ENV: "production", NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1" };
    await runTool(process.execPath, [next, "build"], { cwd: folder, variables: quiet });
  });
  return startServer({
    args: [next, "start"],
    cwd: folder,
    ready: { path },
    env: (url) => ({ NEXTAUTH_URL: url, ...variables }),
  });
}
