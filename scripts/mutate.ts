import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MUTATED } from "./mutate/files.ts";

/**
 * `npm run mutate [-- FILE…]`: changes the pure cores in small ways, one at a time, and tells which changes no test
 * notices (docs/testing.md). By Stryker, which is installed on demand into a folder of its own.
 */

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, ".data", "mutate");
const REPORT = join(FOLDER, "report.json");
const PACKAGES = ["@stryker-mutator/core@10.1.1", "@stryker-mutator/vitest-runner@10.1.1"];
const MODULES = join(FOLDER, "node_modules", "@stryker-mutator");

type Mutant = {
  status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "CompileError" | "RuntimeError" | "Ignored";
  replacement: string;
  location: { start: { line: number; column: number }; end: { line: number; column: number } };
};
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function run(
  command: string,
  args: string[],
  cwd: string,
  variables: Record<string, string> = {},
): Promise<void> {
  const env = { ...process.env, ...variables };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", 2, 2] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${command} failed, see above.`))));
  });
}

/** Below the repository, so that it finds the repository's vitest. */
async function installStryker(): Promise<void> {
  const stamp = join(FOLDER, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === PACKAGES.join("\n")) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ name: "mutate", private: true }));
  await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", ...PACKAGES],
    FOLDER,
  );
  writeFileSync(stamp, PACKAGES.join("\n"));
}

/** Mutates one file; a file at a time, so that only its own tests are run. */
async function mutate(file: string): Promise<Report> {
  const tests = MUTATED[file];
  if (!tests) throw new Error(`${file} is none of those that are mutated: see scripts/mutate/files.ts.`);
  const config = join(FOLDER, "stryker.json");
  writeFileSync(
    config,
    JSON.stringify({
      mutate: [file],
      testRunner: "vitest",
      plugins: [join(MODULES, "vitest-runner", "dist", "src", "index.js")],
      vitest: { configFile: "scripts/mutate/vitest.config.ts", related: false },
      // None: it would be read with a compiler that TypeScript 7 no longer is.
      tsconfigFile: "none.json",
      ignorePatterns: [".data", ".next", "generated", "prisma"],
      tempDirName: ".data/mutate/sandbox",
      concurrency: 1,
      coverageAnalysis: "perTest",
      reporters: ["json"],
      jsonReporter: { fileName: REPORT },
      logLevel: "error",
    }),
  );
  rmSync(REPORT, { force: true });
  await run(process.execPath, [join(MODULES, "core", "bin", "stryker.js"), "run", config], ROOT, {
    MUTATE_TESTS: tests.filter((test) => existsSync(join(ROOT, test))).join(","),
  });
  return JSON.parse(readFileSync(REPORT, "utf8"));
}

/** Reports one file, with each change that no test noticed. */
function tell({ files }: Report): { killed: number; all: number } {
  const total = { killed: 0, all: 0 };
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const counted = mutants.filter(
      ({ status }) => !["CompileError", "RuntimeError", "Ignored"].includes(status),
    );
    const unnoticed = counted.filter(({ status }) => status === "Survived" || status === "NoCoverage");
    say(`${file}: ${counted.length - unnoticed.length} of ${counted.length}`);
    for (const { location, replacement } of unnoticed) {
      say(`  ${location.start.line}: ${excerpt(source, location)} → ${oneLine(replacement)}`);
    }
    total.killed += counted.length - unnoticed.length;
    total.all += counted.length;
  }
  return total;
}

function excerpt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  if (lines.length === 1) return lines[0]?.slice(start.column - 1, end.column - 1) ?? "";
  return oneLine(
    [lines[0]?.slice(start.column - 1), ...lines.slice(1, -1), lines.at(-1)?.slice(0, end.column - 1)].join(
      " ",
    ),
  );
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 120);

try {
  await installStryker();
  const total = { killed: 0, all: 0 };
  const named = process.argv.slice(2);
  for (const file of named.length > 0 ? named : Object.keys(MUTATED)) {
    try {
      const { killed, all } = tell(await mutate(file));
      total.killed += killed;
      total.all += all;
    } catch (error) {
      fail(error);
    }
  }
  say(`${total.killed} of ${total.all} changes noticed (${((100 * total.killed) / total.all).toFixed(1)} %)`);
} catch (error) {
  fail(error);
}
