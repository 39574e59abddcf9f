import { execFile } from "node:child_process";
import { join } from "node:path";
import { NEXTAUTH_SECRET } from "./start-app.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What a run of the command line came to. */
export type AdminRun = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The object that it printed for `--json`. */
  json(): ReturnType<typeof JSON.parse>;
};

/**
 * Runs the operator's command line beside an application, to its end.
 * @param root another clone of the application
 */
export function runAdmin(
  variables: Record<string, string>,
  args: readonly string[],
  root = ROOT,
): Promise<AdminRun> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  // A clone from before December 2026 marks modules with `server-only`, which throws without this.
  const command = ["--conditions=react-server", join(root, "scripts", "admin.ts"), ...args];
  const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: "production" as const, NEXTAUTH_SECRET, ...variables };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) => {
      const json = () => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
      resolve({ code: child.exitCode, stdout, stderr, json });
    });
  });
}
