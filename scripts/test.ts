import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./server/ensure-build.ts";
import { findBrowser } from "./test/find-browser.ts";
import { imageFiles } from "./test/image-files.ts";
import { unlessPassed } from "./test/unless-passed.ts";

/** `npm test`: everything that proves the project (contract 1), cheapest first, stopping at what fails. */

const ROOT = join(import.meta.dirname, "..");
const MODULES = join(ROOT, "node_modules");
const REPORTS = mkdtempSync(join(tmpdir(), "svc-login-reports-"));

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs one of the installed tools; throws when it fails. */
function run(name: string, args: string[], variables: Record<string, string> = {}): Promise<void> {
  const started = Date.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1", ...variables },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code !== 0) return reject(new Error(`${name} failed, see above.`));
      say(`✓ ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
      resolve();
    });
  });
}

const tool = (path: string) => join(MODULES, path);
const vitest = (project: string) => [
  ...[tool("vitest/vitest.mjs"), "run", "--project", project],
  ...["--reporter=default", "--reporter=json", `--outputFile.json=${join(REPORTS, `${project}.json`)}`],
];

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };

function readReport<Report>(name: string): Report {
  return JSON.parse(readFileSync(join(REPORTS, `${name}.json`), "utf8"));
}

function summary(): string {
  const reports = ["unit", "integration", "image"]
    .filter((name) => existsSync(join(REPORTS, `${name}.json`)))
    .map((name) => readReport<VitestReport>(name));
  const { stats } = readReport<PlaywrightReport>("e2e");
  const sum = (key: keyof VitestReport) => reports.reduce((total, report) => total + report[key], 0);
  if (stats.flaky > 0) say(`${stats.flaky} flaky: passed at the second try, see above.`);
  const passed = sum("numPassedTests") + stats.expected + stats.flaky;
  const failed = sum("numFailedTests") + stats.unexpected;
  return `${passed} passed, ${failed} failed, ${sum("numPendingTests") + stats.skipped} skipped`;
}

try {
  await run("types of the routes", [tool("next/dist/bin/next"), "typegen"]);
  await run("types", [tool("typescript/bin/tsc"), "--noEmit", "--incremental", "false"]);
  await run("lint", [tool("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings"]);
  await run("unit tests", vitest("unit"));
  await ensureBuild(ROOT, say);
  await run("integration tests", vitest("integration"));
  await run("end-to-end tests", [tool("playwright/cli.js"), "test", "--config", "e2e"], {
    BROWSER_PATH: await findBrowser(say),
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(REPORTS, "e2e.json"),
  });
  await unlessPassed(imageFiles(ROOT), join(ROOT, ".data", "image-passed"), () =>
    run("image, step by step", vitest("image")),
  );
  await run("benchmark, each part once", [
    "--conditions=react-server",
    tool("../scripts/bench.ts"),
    "--smoke",
  ]);
  say(summary());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(REPORTS, { recursive: true, force: true });
}
