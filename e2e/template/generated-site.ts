import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** The environment of a generated site's commands: nothing of this process's but what a shell has. */
export type SiteVariables = Record<string, string | undefined>;

// Next's types want NODE_ENV, which its commands set by themselves.
const environment = (variables: SiteVariables) => variables as unknown as NodeJS.ProcessEnv;

/** What every generated site's commands need. */
export function shellVariables(): SiteVariables {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    npm_config_cache: process.env.npm_config_cache,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** Runs a program to its end. @throws {Error} with its output when it fails */
export function run(command: string, args: string[], cwd: string, variables: SiteVariables): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...{ cwd, env: environment(variables), encoding: "utf8" },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * Writes a template and installs it.
 * @param installed a site whose packages it begins with, as links: to unpack them takes half a minute
 */
export function generate(
  site: string,
  flags: string[],
  variables: SiteVariables,
  installed: string | null,
): void {
  run(process.execPath, [join(ROOT, "scripts", "template.ts"), site, ...flags], ROOT, variables);
  if (installed !== null) {
    cpSync(join(installed, "package-lock.json"), join(site, "package-lock.json"));
    linkPackages(installed, site);
  }
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], site, variables);
}

/** Gives an application the packages of an installed one, as links: npm then installs only what differs. */
export function linkPackages(installed: string, application: string): void {
  run("cp", ["-al", join(installed, "node_modules"), application], ROOT, shellVariables());
}

/** Hands on what the framework has compiled, unless there is something: most of an application is the framework. */
export function handOnCompiled(from: string, to: string): void {
  const compiled = join(".next", "cache", "turbopack");
  if (existsSync(join(from, compiled)) && !existsSync(join(to, compiled))) {
    cpSync(join(from, compiled), join(to, compiled), { recursive: true });
  }
}

/** `npm start`, in a process group of its own. */
export function start(site: string, variables: SiteVariables): ChildProcess {
  return spawn("npm", ["start"], {
    cwd: site,
    env: environment(variables),
    stdio: "ignore",
    detached: true,
  });
}
