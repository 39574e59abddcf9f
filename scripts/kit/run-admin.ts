import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Runs the operator's command line beside an application, and returns the object that it prints.
 * @param root the clone that it is part of
 */
export async function runAdmin(
  root: string,
  variables: { DATABASE_URL: string; NEXTAUTH_SECRET: string },
  ...args: string[]
): Promise<unknown> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const script = join(root, "scripts", "admin.ts");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // A clone from before December 2026 marks modules with `server-only`, which throws without this.
    ["--conditions=react-server", script, ...args, "--json"],
    { env: { PATH, NODE_COMPILE_CACHE, NODE_ENV: "production", ...variables } },
  );
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
