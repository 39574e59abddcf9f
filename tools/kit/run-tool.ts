import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs a program until it ends. `variables` are added to this process's environment, and `env` replaces that
 * environment.
 * @returns the program's output
 * @throws {Error} with the output if the program fails
 */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, variables = {}, env = { ...process.env, ...variables } }: ToolOptions,
): Promise<string> {
  const toolRun = run(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await toolRun.catch(({ message, stdout, stderr }) => {
    throw new Error(`${message}\n${stdout}${stderr}`);
  });
  return stdout;
}

type ToolOptions = { cwd: string; variables?: Record<string, string>; env?: NodeJS.ProcessEnv };

/**
 * Installs packages into a separate folder, unless exactly these packages are already installed there. npm and a
 * registry must be available.
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<void> {
  const stamp = join(folder, "installed");
  const packageList = packages.join("\n");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === packageList) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  await runTool("npm", ["install", ...quiet, ...flags, ...packages], { cwd: folder });
  writeFileSync(stamp, packageList);
}
