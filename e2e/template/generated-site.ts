import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS = 60_000;

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

/** Writes a template and installs it. */
export function generate(site: string, flags: string[], variables: SiteVariables): void {
  run(process.execPath, [join(ROOT, "scripts", "template.ts"), site, ...flags], ROOT, variables);
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], site, variables);
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

/** Waits until a page answers. */
export async function answers(url: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await sleep(200);
  }
}

export function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? 0), "SIGKILL");
  } catch {
    // It has stopped.
  }
}
