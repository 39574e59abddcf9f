import { join } from "node:path";
import { readCommandLineOrExit, readNumber, UsageError } from "#packages/terminal/command-line.ts";
import { ensureBuild } from "../scripts/server/ensure-build.ts";
import { print } from "../scripts/server/operator-output.ts";
import { formatTable } from "./bench/table.ts";
import { databaseHangScenario, databaseRestartScenario } from "./resilience/database-away.ts";
import { failoverScenario } from "./resilience/failover.ts";
import { hostileScenario } from "./resilience/hostile.ts";
import { killScenario, upgradeScenario } from "./resilience/replaced-processes.ts";
import { restoreScenario } from "./resilience/restore.ts";
import { type Scenario, SkippedScenario, Stage } from "./resilience/stage.ts";

/** `npm run resilience` (docs/reliability.md). */

const SCENARIOS: readonly Scenario[] = [
  killScenario,
  databaseRestartScenario,
  databaseHangScenario,
  failoverScenario,
  restoreScenario,
  upgradeScenario,
  hostileScenario,
];
const NAMES = SCENARIOS.map(({ name }) => name).join(", ");

const options = readCommandLineOrExit(
  {
    program: "npm run resilience --",
    about: "Injects faults into running processes of the application (docs/reliability.md).",
    commands: { "": { takes: "[FAULT…]", does: "these faults, or every one" } },
    options: {
      seed: { value: "N", does: "of everything random; printed, so that a run can be repeated" },
      from: { value: "COMMIT", does: "the version that `upgrade` comes from, other than the last release" },
    },
    notes: `Faults: ${NAMES}`,
  },
  ({ subjects, values: { seed, from } }) => ({
    from: from ?? null,
    scenarios: subjects.length > 0 ? subjects.map(scenarioNamed) : SCENARIOS,
    seed:
      seed === undefined
        ? Date.now() % 1_000_000
        : readNumber("seed", seed, { most: 2 ** 31 - 1, whole: true }),
  }),
);

function scenarioNamed(scenarioName: string): Scenario {
  const found = SCENARIOS.find(({ name }) => name === scenarioName);
  if (found) return found;
  throw new UsageError(`There is no fault "${scenarioName}": ${NAMES}.`);
}

/** Returns the scenario's row in the table at the end: scenario, result, time, remark. */
async function play(scenario: Scenario): Promise<string[]> {
  const title = `${scenario.name}: ${scenario.title}`;
  print(`\n${title}`);
  const stage = new Stage({ seed: options.seed, from: options.from, say: print });
  const interrupted = () => void stage.strike().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const startedAt = performance.now();
  const row = (result: "pass" | "FAIL" | "skipped", remark: string) => {
    return [title, result, `${Math.round((performance.now() - startedAt) / 1000)} s`, remark];
  };
  try {
    await scenario.play(stage);
    const total = stage.checks.length;
    const failed = stage.checks.filter((holds) => !holds).length;
    return failed > 0
      ? row("FAIL", `${failed} of ${total} checks, see above`)
      : row("pass", `${total} checks`);
  } catch (error) {
    if (error instanceof SkippedScenario) return row("skipped", error.message);
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return row("FAIL", String(error).split("\n", 1)[0] ?? "");
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await stage.strike();
  }
}

await ensureBuild(join(import.meta.dirname, ".."), print);
const rows: string[][] = [];
for (const scenario of options.scenarios) rows.push(await play(scenario));
print(`\n${formatTable(["scenario", "result", "took", ""], rows)}`);
if (rows.some(([, result]) => result === "FAIL")) process.exitCode = 1;
