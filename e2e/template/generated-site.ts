import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { chromium, type Page } from "playwright";
import type { TestProject } from "vitest/node";
import { LAUNCH_OPTIONS } from "#e2e/support/launch-options.ts";
import { linkPackages } from "#e2e/support/link-packages.ts";
import { findBrowser } from "#scripts/test/find-browser.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import { findFreePort, type RunningServer, startServer } from "#tools/kit/start-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Contains only what a shell has, and nothing from this process. */
export type SiteVariables = Record<string, string>;

// Next's types require NODE_ENV, which its commands set themselves.
const environment = (variables: SiteVariables) => variables as unknown as NodeJS.ProcessEnv;

/** If the registry is unreachable, npm tries again for a minute. */
const OF_THE_SHELL = /^(PATH|HOME|npm_config_cache|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;

export function shellVariables(): SiteVariables {
  const shellEntries = Object.entries(process.env).filter(([name]) => OF_THE_SHELL.test(name));
  return { ...Object.fromEntries(shellEntries), NEXT_TELEMETRY_DISABLED: "1" };
}

export async function siteVariables(databaseUrl: string): Promise<SiteVariables> {
  return {
    ...shellVariables(),
    BROWSER_PATH: await findBrowser(() => {}),
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET,
  };
}

type Ended = { status: number | null; stdout: string; stderr: string };

async function runToItsEnd(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; timeout?: number },
): Promise<Ended> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const [[status], stdout, stderr] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, stdout, stderr };
}

/** @throws {Error} with the program's output if it fails */
export async function run(
  command: string,
  args: string[],
  cwd: string,
  variables: SiteVariables,
): Promise<string> {
  const { status, stdout, stderr } = await runToItsEnd(command, args, { cwd, env: environment(variables) });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * The template has already been written.
 * @param installed the folder that packages are taken from; npm then installs only those that differ
 */
export async function install(site: string, variables: SiteVariables, installed: string): Promise<void> {
  linkPackages(installed, site);
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], site, variables);
  edit(site, "playwright.config.ts", (text) =>
    text.replace('["--no-sandbox"]', JSON.stringify(LAUNCH_OPTIONS.args)),
  );
}

/** By published name. */
export function installedPackages(site: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(site, "package-lock.json"), "utf8"));
  return Object.entries<{ name?: string }>(packages).map(
    ([path, { name }]) => name ?? path.split("node_modules/").at(-1) ?? "",
  );
}

declare module "vitest" {
  interface ProvidedContext {
    /** With installed packages, which the other applications use. */
    installedSite: string;
  }
}

/** Once for all tests in this folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "svc installed "));
  const site = join(folder, "site");
  await run(process.execPath, [join(ROOT, "scripts", "template.ts"), site], ROOT, shellVariables());
  await install(site, shellVariables(), ROOT);
  configure(site, TYPES_CHECKED, `experimental: { ${NOTHING_KEPT} }`);
  project.provide("installedSite", site);
  return () => rm(folder, { recursive: true, force: true });
}

/** For a test that changes the site, because other files use the installed one. */
export function copySite(installed: string, target: string): void {
  // Whole names, because the route of NextAuth is in `[...nextauth]`.
  const isOwnFile = (path: string) => !["node_modules", ".next", ".data"].includes(basename(path));
  cpSync(installed, target, { recursive: true, filter: isOwnFile });
  linkPackages(installed, target);
}

/** For sites whose own `npm test` has already checked the types. */
export const TYPES_CHECKED = "typescript: { ignoreBuildErrors: true }";
/** Storing compiled code takes a quarter of a build's time, and source maps take a tenth. */
const NOTHING_KEPT = ["FileSystemCacheForBuild", "FileSystemCacheForDev", "SourceMaps", "InputSourceMaps"]
  .map((name) => `turbopack${name}: false`)
  .join();
/** Halves the time of a build. */
export const BUILT_ONCE = `experimental: { turbopackMinify: false, ${NOTHING_KEPT} }`;

export function configure(application: string, ...lines: string[]): void {
  edit(application, "next.config.ts", (text) =>
    text.replace(/(export default|: NextConfig =) \{/, `$&\n${lines.join(",\n")},`),
  );
}

/** @throws {Error} if the file does not change */
export function edit(application: string, path: string, change: (text: string) => string): void {
  const file = join(application, path);
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${path} is not understood:\n${before}`);
  writeFileSync(file, after);
}

const nextOf = (site: string) => join(site, "node_modules", "next", "dist", "bin", "next");

const REFUSED_MS = 60_000;

/**
 * With the framework's own command.
 * @param nodeFlags flags for the Node that runs it
 * @returns its exit code and its output
 */
export async function refusedStart(
  site: string,
  variables: SiteVariables,
  command = "start",
  nodeFlags: string[] = [],
): Promise<string> {
  const env = environment({ ...variables, PORT: String(await findFreePort()) });
  const { status, stdout, stderr } = await runToItsEnd(
    process.execPath,
    [...nodeFlags, nextOf(site), command],
    { cwd: site, env, timeout: REFUSED_MS },
  );
  return `exit code ${status}\n${stdout}${stderr}`;
}

/**
 * With the framework's own command. Waits until the login page responds.
 * @param variables includes a `PORT` if the test has to know it earlier; otherwise the site gets a free port
 */
export function serveSite(
  site: string,
  variables: SiteVariables,
  command: "start" | "dev" = "start",
): Promise<RunningServer> {
  return startServer({
    args: [nextOf(site), command],
    cwd: site,
    port: variables.PORT === undefined ? undefined : Number(variables.PORT),
    env: () => ({ ...variables, NODE_ENV: command === "dev" ? "development" : "production" }),
    ready: { path: "/login" },
  });
}

export async function whileServed(
  site: string,
  variables: SiteVariables,
  use: (url: string) => Promise<void>,
  command: "start" | "dev" = "start",
): Promise<void> {
  const { url, stop } = await serveSite(site, variables, command);
  try {
    await use(url);
  } finally {
    await stop();
  }
}

/** In a new browser. `errors` contains what its console has reported so far. */
export async function withPage(
  timeoutMs: number,
  use: (page: Page, errors: readonly string[]) => Promise<void>,
): Promise<void> {
  const executablePath = await findBrowser(() => {});
  const browser = await chromium.launch({ ...LAUNCH_OPTIONS, executablePath });
  try {
    // Otherwise, the browser paints the countdown ring around a code in every frame.
    const page = await browser.newPage({ reducedMotion: "reduce" });
    page.setDefaultTimeout(timeoutMs);
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await use(page, errors);
  } finally {
    await browser.close();
  }
}
