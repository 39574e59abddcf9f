import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";

/** Draws no window around its pages, which is half of what they cost. */
const HEADLESS_SHELLS = ["chromium-headless-shell", "chrome-headless-shell"];
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * A Chromium for the end-to-end tests: the one that `BROWSER_PATH` names; else a headless shell, which root on Debian
 * installs; else another one that is installed; else Playwright's download.
 * @returns the path of its executable
 * @throws {Error} saying what to install when none of this works
 */
export async function findBrowser(say: (text: string) => void): Promise<string> {
  const preferred = () => firstOf([process.env.BROWSER_PATH, ...inPath(HEADLESS_SHELLS)]);
  const found = preferred();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("No headless shell of Chromium found: installing Debian's package chromium-headless-shell…");
    installPackage();
    const packaged = preferred();
    if (packaged) return packaged;
  }
  const installed = firstOf([...inPath(BROWSERS), ...MAC_APPLICATIONS, chromium.executablePath()]);
  if (installed) return installed;
  say("No Chromium found: asking Playwright to download one…");
  const cli = join(import.meta.dirname, "..", "..", "node_modules", "playwright", "cli.js");
  const download = spawnSync(process.execPath, [cli, "install", "chromium"], {
    stdio: "inherit",
    timeout: 300_000,
  });
  if (download.status === 0 && existsSync(chromium.executablePath())) return chromium.executablePath();
  throw new Error(
    "The end-to-end tests need Chromium and none could be had. Install Chromium or Google Chrome, or name one: BROWSER_PATH=/path/to/chromium npm test",
  );
}

function installPackage(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) =>
    spawnSync("apt-get", ["-q", ...args], { stdio: "ignore", env, timeout: 120_000 }).status === 0;
  const install = () => apt("install", "-y", "--no-install-recommends", "chromium-headless-shell");
  // The lists of a fresh container are empty.
  if (!install() && apt("update")) install();
}

function inPath(names: string[]): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function firstOf(candidates: (string | undefined)[]): string | undefined {
  return candidates.find((path) => path !== undefined && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
