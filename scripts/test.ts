import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLineOrExit, UsageError } from "#packages/terminal/command-line.ts";
import { ensureBuild, runOnce } from "./server/ensure-build.ts";
import { print } from "./server/operator-output.ts";
import { findBrowser } from "./test/find-browser.ts";
import { countPlaywright, type PlaywrightReport, summarize, type TestCounts } from "./test/results.ts";
import { listImageFiles, listTemplateFiles } from "./test/stage-files.ts";

/**
 * `npm test` runs all of the project's tests and checks; `npm test -- unit e2e` runs only these stages
 * (docs/testing.md).
 */

type Stage = () => Promise<void>;

const ROOT = join(import.meta.dirname, "..");
const DATA = join(ROOT, ".data");
const MODULES = join(ROOT, "node_modules");

/**
 * Throws if the tool fails.
 * @param beside true to print the tool's output only once the tool has ended, because another tool is printing
 */
async function run(
  name: string,
  args: string[],
  { variables = {}, beside = false }: { variables?: Record<string, string>; beside?: boolean } = {},
): Promise<void> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1", ...variables },
    stdio: beside ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
  const [code] = await once(child, "close");
  process.stdout.write(Buffer.concat(chunks));
  if (code !== 0) throw new Error(`${name} failed, see above.`);
  print(`✓ ${name} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}

const tool = (path: string) => join(MODULES, path);
const report = (name: string) => join(REPORTS, `${name}.json`);
/** @param workers the number of files that run simultaneously; by default, the number in `vitest.config.ts` */
const vitest = (project: string, { beside = false, workers }: { beside?: boolean; workers?: number } = {}) =>
  run(
    `${project} tests`,
    [
      ...[tool("vitest/vitest.mjs"), "run", "--project", project],
      ...["--reporter=default", `--reporter=${join(ROOT, "scripts/test/results.ts")}`],
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    ],
    { variables: { TEST_COUNTS_FILE: report(project) }, beside },
  );

let building: Promise<void> | undefined;
const build: Stage = () => {
  // The image uses this build, too.
  building ??= ensureBuild(ROOT, print, true);
  return building;
};

const STAGES: Record<string, Stage> = {
  types: async () => {
    await run("types of the routes", [tool("next/dist/bin/next"), "typegen"]);
    await run("types", [tool("typescript/bin/tsc"), "--noEmit", "--incremental", "false"]);
  },
  lint: () => run("lint", [tool("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings"], { beside }),
  unit: () => vitest("unit", { beside }),
  build,
  integration: async () => {
    await build();
    await vitest("integration");
  },
  e2e: async () => {
    await build();
    await run("end-to-end tests", [tool("playwright/cli.js"), "test", "--config", "e2e"], {
      variables: { BROWSER_PATH: await findBrowser(print), PLAYWRIGHT_JSON_OUTPUT_FILE: report("e2e") },
    });
  },
  image: () =>
    runOnce({ root: ROOT, files: listImageFiles(ROOT), stamp: join(DATA, "image-passed") }, async () => {
      await build();
      await vitest("image", { beside, workers: 1 });
    }),
  template: () =>
    runOnce({ root: ROOT, files: listTemplateFiles(ROOT), stamp: join(DATA, "template-passed") }, () =>
      vitest("template", { beside, workers: 1 }),
    ),
  bench: async () => {
    await build();
    const bench = join(ROOT, "tools", "bench.ts");
    await run("benchmark, each part once", [bench, "--smoke"], { beside });
  },
};

const stages = Object.keys(STAGES).join(", ");
const namedStages = readCommandLineOrExit(
  {
    program: "npm test --",
    about: "Proves the project (docs/testing.md).",
    commands: { "": { takes: "[STAGE…]", does: `these stages in this order, or all of them: ${stages}` } },
    options: {},
  },
  ({ subjects }) => {
    const unknown = subjects.find((name) => !Object.hasOwn(STAGES, name));
    if (unknown === undefined) return subjects;
    throw new UsageError(`There is no stage "${unknown}": ${stages}.`);
  },
);
/**
 * True if stages run simultaneously, as in a complete run. Background stages then print their output only once they
 * have ended.
 */
const beside = namedStages.length === 0;
const REPORTS = mkdtempSync(join(tmpdir(), "svc-login-reports-"));

let failed = false;

/** Stops when one of the stages, or a stage that runs beside them, fails. */
async function inTurn(...names: string[]): Promise<void> {
  for (const name of names) {
    if (failed) return;
    try {
      await STAGES[name]?.();
    } catch (error) {
      failed = true;
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

/**
 * The cheapest stages run first. The template's tests alternate between installing and building, the unit tests
 * compute, and the integration tests wait. The browser tests begin when the third lane has ended, because a third
 * concurrent stage would slow them down. The benchmark's stage only proves that the benchmark works.
 */
async function everything(): Promise<void> {
  await Promise.all([inTurn("types"), inTurn("lint")]);
  const third = inTurn("unit", "image", "bench");
  const first = async () => {
    await inTurn("build", "integration");
    await third;
    await inTurn("e2e");
  };
  await Promise.all([first(), inTurn("template"), third]);
}

function readReport<Report>(name: string): Report {
  return JSON.parse(readFileSync(report(name), "utf8"));
}

/** The image and template stages are skipped if their inputs have not changed. */
function summary(): string {
  const finished = ["unit", "integration", "image", "template"].filter((name) => existsSync(report(name)));
  const runs = finished.map((name) => readReport<TestCounts>(name));
  if (existsSync(report("e2e"))) runs.push(countPlaywright(readReport<PlaywrightReport>("e2e")));
  return summarize(runs);
}

try {
  await (namedStages.length > 0 ? inTurn(...namedStages) : everything());
  if (!failed && readdirSync(REPORTS).length > 0) print(summary());
} catch (error) {
  failed = true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  rmSync(REPORTS, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;
