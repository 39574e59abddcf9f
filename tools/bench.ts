import { join } from "node:path";
import { readCommandLineOrExit, readNumber } from "#packages/terminal/command-line.ts";
import { ensureBuild } from "../scripts/server/ensure-build.ts";
import { print } from "../scripts/server/operator-output.ts";
import { planComparisons } from "./bench/endpoints.ts";
import { type Figures, measureRounds, type Plan, toFigures, type WorkloadRounds } from "./bench/measure.ts";
import { startBenchServers } from "./bench/servers.ts";
import { formatNumber, formatPercent, formatRatio, formatTable } from "./bench/table.ts";
import { type DatabaseServer, openDatabaseServer } from "./kit/database.ts";

/** `npm run bench` (docs/performance.md). */

const ROOT = join(import.meta.dirname, "..");

const options = readCommandLineOrExit(
  {
    program: "npm run bench --",
    about: "Measures what this application costs (docs/performance.md).",
    commands: { "": { does: "this application beside the floor of its stack" } },
    options: {
      smoke: { does: "everything once, in seconds: proves that it works, not how fast" },
      against: {
        value: "DIR",
        does: "another built clone of this application, to be measured beside this one",
      },
      only: { value: "TEXT", default: "", does: "runs only the parts with this text in their title" },
      rounds: { value: "N", default: "5", does: "how often each is measured" },
      starts: {
        value: "N",
        default: "1",
        does: "how often everything is started anew; the rounds of all starts count",
      },
      seconds: { value: "N", default: "4", does: "how long each takes" },
    },
  },
  ({ values }) => ({
    ...values,
    rounds: readNumber("rounds", values.rounds, { least: 1, most: 1000, whole: true }),
    starts: readNumber("starts", values.starts, { least: 1, most: 100, whole: true }),
    seconds: readNumber("seconds", values.seconds, { most: 3600 }),
  }),
);

const PLAN: Plan = options.smoke
  ? { rounds: 1, seconds: 0, atOnce: 1 }
  : { rounds: options.rounds, seconds: options.seconds, atOnce: 8 };

async function compare(database: DatabaseServer): Promise<void> {
  const measured = new Map<string, WorkloadRounds[]>();
  for (let start = 0; start < options.starts; start++) {
    const compared = await startBenchServers(ROOT, database, options.against);
    try {
      for (const { title, works } of planComparisons(compared).filter(isSelected)) {
        const earlier = measured.get(title) ?? [];
        const latest = await measureRounds(await works(), PLAN, start);
        measured.set(
          title,
          latest.map(({ name, rounds }, at) => ({
            name,
            rounds: [...(earlier[at]?.rounds ?? []), ...rounds],
          })),
        );
      }
    } finally {
      await compared.stop();
    }
  }
  for (const [title, rounds] of measured) printFigures(title, toFigures(rounds));
}

function isSelected({ title }: { title: string }): boolean {
  return title.toLowerCase().includes(options.only.toLowerCase());
}

function printFigures(title: string, figures: readonly Figures[]): void {
  const columns: Record<string, (row: Figures) => string> = {
    "": ({ name }) => name,
    "a second": ({ perSecond }) => formatNumber(perSecond),
    ratio: ({ rateRatio }) => formatRatio(rateRatio),
    "server ms": ({ serverMs }) => formatNumber(serverMs),
    "database ms": ({ databaseMs }) => formatNumber(databaseMs),
    "CPU ratio": ({ cpuRatio }) => formatRatio(cpuRatio),
    "p50 ms": ({ p50 }) => formatNumber(p50),
    "p95 ms": ({ p95 }) => formatNumber(p95),
    "p99 ms": ({ p99 }) => formatNumber(p99),
    idle: ({ idle }) => formatPercent(idle),
  };
  const rows = figures.map((row) => Object.values(columns).map((cell) => cell(row)));
  print(`\n${title}\n`);
  print(formatTable(Object.keys(columns), rows));
}

await ensureBuild(ROOT, print);
const database = await openDatabaseServer(join(ROOT, ".data", "bench"));
try {
  await compare(database);
} finally {
  await database.close();
}
