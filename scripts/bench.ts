import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCompared } from "./bench/compared.ts";
import { openBenchDatabase } from "./bench/database.ts";
import { type Figures, measure, type Plan } from "./bench/measure.ts";
import { number, ratio, table } from "./bench/table.ts";
import { type Comparison, endpointComparisons, loginComparison } from "./bench/works.ts";
import { ensureBuild } from "./server/ensure-build.ts";

/** `npm run bench`: what this application costs, beside what it is compared with (docs/performance.md). */

const ROOT = join(import.meta.dirname, "..");

const { values: options } = parseArgs({
  options: {
    peers: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
    against: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});

const PLAN: Plan = options.smoke
  ? { rounds: 1, seconds: 0, atOnce: 1 }
  : { rounds: Number(options.rounds), seconds: Number(options.seconds), atOnce: 8 };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  await ensureBuild(ROOT, say);
  const database = await openBenchDatabase(join(ROOT, ".data", "bench"));
  try {
    const compared = await startCompared(ROOT, database, {
      against: options.against ?? null,
      withPeers: options.peers,
    });
    try {
      for (const comparison of [loginComparison(compared), ...(await endpointComparisons(compared))]) {
        if (options.only && !comparison.title.includes(options.only)) continue;
        print(comparison, await measure(comparison.works, PLAN));
      }
    } finally {
      await compared.stop();
    }
  } finally {
    await database.close();
  }
}

function print({ title }: Comparison, figures: readonly Figures[]): void {
  const [first] = figures;
  say(`\n${title}\n`);
  say(
    table(
      ["", "a second", "ratio", "CPU ms", "ratio", "p50 ms", "p95 ms", "p99 ms"],
      figures.map((each) => [
        each.name,
        number(each.perSecond),
        ratio(first?.perSecond, each.perSecond),
        number(each.cpuMs),
        ratio(first?.cpuMs, each.cpuMs),
        number(each.p50),
        number(each.p95),
        number(each.p99),
      ]),
    ),
  );
}

await main();
