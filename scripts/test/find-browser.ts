import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";

/** The best first: a headless shell draws no window around its pages, which halves their cost. */
const NAMES = [
  ...["chromium-headless-shell", "chrome-headless-shell"],
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
];
const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * A Chromium for the end-to-end tests: one already installed; else Playwright's download; else, as root on
 * Debian, the `chromium-headless-shell` package, or `chromium`.
 * @returns the path of its executable
 * @throws {Error} saying what to install when none of this works
 */
export async function findBrowser(say: (text: string) => void): Promise<string> {
  const installed = installedBrowser();
  if (installed) return installed;
  say("No Chromium found: asking Playwright to download one…");
  const cli = join(import.meta.dirname, "..", "..", "node_modules", "playwright", "cli.js");
  const download = spawnSync(process.execPath, [cli, "install", "chromium"], {
    stdio: "inherit",
    timeout: 300_000,
  });
  if (download.status === 0 && existsSync(chromium.executablePath())) return chromium.executablePath();
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Playwright could not download it: installing Debian's package chromium-headless-shell…");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
    // Older releases have no package for the shell.
    for (const name of ["chromium-headless-shell", "chromium"]) {
      spawnSync("apt-get", ["install", "-y", "-q", name], { stdio: "inherit", env });
      const packaged = installedBrowser();
      if (packaged) return packaged;
    }
  }
  throw new Error(
    "The end-to-end tests need Chromium and none could be had. Install Chromium or Google Chrome, or name one: BROWSER_PATH=/path/to/chromium npm test",
  );
}

function installedBrowser(): string | undefined {
  const candidates = [
    process.env.BROWSER_PATH,
    ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...MAC_APPLICATIONS,
    chromium.executablePath(),
  ];
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
