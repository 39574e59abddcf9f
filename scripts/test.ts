import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./server/ensure-build.ts";
import type { TestCounts } from "./test/count-tests.ts";
import { findBrowser } from "./test/find-browser.ts";
import { imageFiles } from "./test/image-files.ts";
import { countPlaywright, type PlaywrightReport, summarize } from "./test/summarize.ts";
import { unlessPassed } from "./test/unless-passed.ts";

/** `npm test`: everything that proves the project, cheapest first, stopping at what fails. */

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
const report = (name: string) => join(REPORTS, `${name}.json`);
const vitest = (project: string) =>
  run(
    `${project} tests`,
    [
      ...[tool("vitest/vitest.mjs"), "run", "--project", project],
      ...["--reporter=default", `--reporter=${join(ROOT, "scripts/test/count-tests.ts")}`],
    ],
    { TEST_COUNTS_FILE: report(project) },
  );

function readReport<Report>(name: string): Report {
  return JSON.parse(readFileSync(report(name), "utf8"));
}

function summary(): string {
  // The image's test is left out when nothing that it depends on has changed.
  const counted = ["unit", "integration", "image"].filter((name) => existsSync(report(name)));
  return summarize([
    ...counted.map((name) => readReport<TestCounts>(name)),
    countPlaywright(readReport<PlaywrightReport>("e2e")),
  ]);
}

try {
  await run("types of the routes", [tool("next/dist/bin/next"), "typegen"]);
  await run("types", [tool("typescript/bin/tsc"), "--noEmit", "--incremental", "false"]);
  await run("lint", [tool("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings"]);
  await vitest("unit");
  await ensureBuild(ROOT, say);
  await vitest("integration");
  await run("end-to-end tests", [tool("playwright/cli.js"), "test", "--config", "e2e"], {
    BROWSER_PATH: await findBrowser(say),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report("e2e"),
  });
  await unlessPassed(imageFiles(ROOT), join(ROOT, ".data", "image-passed"), () => vitest("image"));
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
