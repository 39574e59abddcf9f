import { join } from "node:path";
import { readNumber, readOrExit, UsageError } from "#lib/terminal/command-line.ts";
import { table } from "./bench/table.ts";
import { clock } from "./resilience/clock.ts";
import { databaseHang } from "./resilience/database-hang.ts";
import { databaseRestart } from "./resilience/database-restart.ts";
import { diskFull } from "./resilience/disk-full.ts";
import { failover } from "./resilience/failover.ts";
import { hostile } from "./resilience/hostile.ts";
import { kill } from "./resilience/kill.ts";
import { receivers } from "./resilience/receivers.ts";
import { restore } from "./resilience/restore.ts";
import { sigterm } from "./resilience/sigterm.ts";
import { slowConnections } from "./resilience/slow-connections.ts";
import { soak } from "./resilience/soak.ts";
import { type Scenario, Skipped, Stage } from "./resilience/stage.ts";
import { streams } from "./resilience/streams.ts";
import { twoProcesses } from "./resilience/two-processes.ts";
import { upgrade } from "./resilience/upgrade.ts";
import { ensureBuild } from "./server/ensure-build.ts";

/** `npm run resilience`: faults played against running processes of the application (docs/reliability.md). */

const ROOT = join(import.meta.dirname, "..");

const SCENARIOS: readonly Scenario[] = [
  kill,
  databaseRestart,
  databaseHang,
  diskFull,
  failover,
  restore,
  twoProcesses,
  upgrade,
  sigterm,
  slowConnections,
  receivers,
  clock,
  hostile,
  streams,
  soak,
];

const options = readOrExit(
  {
    program: "npm run resilience --",
    about: "Plays faults against running processes of the application (docs/reliability.md).",
    commands: { "": { takes: "[FAULT…]", does: "these faults, or every one" } },
    options: {
      minutes: { value: "N", does: "how long the parts that take time run" },
      seed: { value: "N", does: "of everything random; printed, so that a run can be repeated" },
      from: { value: "COMMIT", does: "the version that `upgrade` comes from, other than the last release" },
    },
    notes: `Faults: ${SCENARIOS.map(({ name }) => name).join(", ")}`,
  },
  ({ subjects, values: { minutes, seed, from } }) => ({
    from: from ?? null,
    scenarios: subjects.length > 0 ? subjects.map(scenarioNamed) : SCENARIOS,
    minutes: minutes === undefined ? null : readNumber("minutes", minutes, { most: 100_000 }),
    seed:
      seed === undefined
        ? Date.now() % 1_000_000
        : readNumber("seed", seed, { most: 2 ** 31 - 1, whole: true }),
  }),
);

function scenarioNamed(wanted: string): Scenario {
  const found = SCENARIOS.find(({ name }) => name === wanted);
  if (found) return found;
  throw new UsageError(`There is no fault "${wanted}": ${SCENARIOS.map(({ name }) => name).join(", ")}.`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

type Result = { scenario: Scenario; verdict: "pass" | "FAIL" | "skipped"; seconds: number; remark: string };

async function play(scenario: Scenario): Promise<Result> {
  say(`\n${scenario.name}: ${scenario.title}`);
  const stage = new Stage({ minutes: options.minutes, seed: options.seed, from: options.from, say });
  const interrupted = () => void stage.strike().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const started = performance.now();
  const result = (verdict: Result["verdict"], remark: string): Result => {
    return { scenario, verdict, seconds: Math.round((performance.now() - started) / 1000), remark };
  };
  try {
    await scenario.play(stage);
    const failed = stage.checks.filter(({ holds }) => !holds);
    if (failed.length > 0)
      return result("FAIL", `${failed.length} of ${stage.checks.length} checks, see above`);
    return result("pass", `${stage.checks.length} checks`);
  } catch (error) {
    if (error instanceof Skipped) return result("skipped", error.message);
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const [reason = ""] = String(error).split("\n", 1);
    return result("FAIL", reason);
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await stage.strike();
  }
}

async function main(): Promise<void> {
  await ensureBuild(ROOT, say);
  const results: Result[] = [];
  for (const scenario of options.scenarios) results.push(await play(scenario));
  const rows = results.map(({ scenario, verdict, seconds, remark }) => [
    `${scenario.name}: ${scenario.title}`,
    verdict,
    `${seconds} s`,
    remark,
  ]);
  say(`\n${table(["scenario", "result", "took", ""], rows)}`);
  if (results.some(({ verdict }) => verdict === "FAIL")) process.exitCode = 1;
}

await main();
