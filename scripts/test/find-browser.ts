import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, globSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { chromium } from "playwright";

/** In order of preference: a headless shell draws no window around its pages, which saves an eighth of the cost. */
const NAMES = [
  ...["chromium-headless-shell", "chrome-headless-shell"],
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
];
const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the path of a Chromium for the browser tests: an installed one, Playwright's download or, as root on Debian,
 * the package `chromium-headless-shell` or `chromium`, which it installs.
 * @throws {Error} that says what to install if there is no Chromium
 */
export async function findBrowser(print: (text: string) => void): Promise<string> {
  const installed = installedBrowser();
  if (installed) return installed;
  print("No Chromium found: asking Playwright to download one…");
  const cli = join(import.meta.dirname, "..", "..", "node_modules", "playwright", "cli.js");
  spawnSync(process.execPath, [cli, "install", "--only-shell", "chromium"], {
    stdio: "inherit",
    timeout: 300_000,
  });
  const downloaded = installedBrowser();
  if (downloaded) return downloaded;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    print("Playwright could not download it: installing Debian's package chromium-headless-shell…");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
    // Older Debian releases have no package for the headless shell.
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
    ...playwrightsShells(),
    ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...MAC_APPLICATIONS,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== undefined && isExecutable(path));
}

/** The shells match this version of Playwright. */
function playwrightsShells(): string[] {
  const path = chromium.executablePath().split(sep);
  const folder = path.findIndex((name) => name.startsWith("chromium-"));
  const shell = path[folder]?.replace("chromium", "chromium_headless_shell") ?? "";
  return globSync([...path.slice(0, folder), shell, "*", "chrome-headless-shell{,.exe}"].join(sep));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
