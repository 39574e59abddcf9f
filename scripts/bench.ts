import { join } from "node:path";
import { readNumber, readOrExit } from "#lib/terminal/command-line.ts";
import { startBenchApp } from "./bench/app.ts";
import { type Compared, startCompared } from "./bench/compared.ts";
import { measureOpenPages, measureProcesses, PAGES_PROCESSES } from "./bench/growth.ts";
import { limitNote } from "./bench/machine.ts";
import { type Figures, measure, median, type Plan } from "./bench/measure.ts";
import { scriptBytes } from "./bench/page-weight.ts";
import { measurePush } from "./bench/push.ts";
import { measureScreen } from "./bench/screen.ts";
import { number, percent, ratio, table, withQuartiles } from "./bench/table.ts";
import { measureVerification } from "./bench/verification.ts";
import { endpointComparisons, loginComparison } from "./bench/works.ts";
import { type DatabaseServer, openDatabaseServer } from "./kit/database.ts";
import { ensureBuild } from "./server/ensure-build.ts";

/** `npm run bench`: measures what this application and its peers cost (docs/performance.md). */

const ROOT = join(import.meta.dirname, "..");

const options = readOrExit(
  {
    program: "npm run bench --",
    about: "Measures what this application and its peers cost (docs/performance.md).",
    commands: { "": { does: "this application beside the floor of its stack" } },
    options: {
      peers: { does: "installs and measures other projects too" },
      smoke: { does: "everything once, in seconds: proves that it works, not how fast" },
      against: {
        value: "DIR",
        does: "another built clone of this application, to be measured beside this one",
      },
      rows: {
        value: "N",
        default: "0",
        does: "measures this one once more with so many users and sessions, and ten times as many log lines",
      },
      growth: {
        does: "measures several processes, and open pages beside logins, instead of everything else",
      },
      pages: {
        value: "N,N…",
        default: "0,1000,2500,5000,10000",
        does: "with --growth: how many pages are open at each step",
      },
      only: { value: "TEXT", default: "", does: "runs only the parts with this text in their title" },
      rounds: { value: "N", default: "5", does: "how often each is measured" },
      seconds: { value: "N", does: "how long each takes: 4, and 20 beside open pages" },
    },
  },
  ({ values }) => ({
    ...values,
    rows: readNumber("rows", values.rows, { most: 1e9, whole: true }),
    pages: values.pages.split(",").map((text) => readNumber("pages", text, { most: 1e6, whole: true })),
    rounds: readNumber("rounds", values.rounds, { least: 1, most: 1000, whole: true }),
    seconds: values.seconds === undefined ? null : readNumber("seconds", values.seconds, { most: 3600 }),
  }),
);

const PLAN: Plan = options.smoke
  ? { rounds: 1, seconds: 0, atOnce: 1 }
  : { rounds: options.rounds, seconds: options.seconds ?? 4, atOnce: 8 };
const PROCESSES = options.smoke ? [1, 2] : [1, 2, 4];
const PAGES = options.smoke
  ? { steps: [0, 5], loginsPerSecond: 5, seconds: 1, speedup: 60 }
  : { steps: options.pages, loginsPerSecond: 50, seconds: options.seconds ?? 20, speedup: 1 };
const PUSHES = options.smoke ? 1 : 60;
const SCREENS = options.smoke ? 1 : 20;
const SCREENS_BY_POLL = options.smoke ? 0 : 10;
const STARTS = options.smoke ? 1 : 3;
const VERIFICATIONS = options.smoke ? { rounds: 1, times: 20 } : { rounds: 7, times: 2_000 };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  await ensureBuild(ROOT, say);
  const database = await openDatabaseServer(join(ROOT, ".data", "bench"));
  try {
    if (!options.growth) await compare(database);
    if (options.growth || options.smoke) await grow(database);
  } finally {
    await database.close();
  }
}

async function compare(database: DatabaseServer): Promise<void> {
  const compared = await startCompared(ROOT, database, {
    against: options.against ?? null,
    rows: options.rows,
    withPeers: options.peers,
  });
  try {
    for (const comparison of [loginComparison(compared), ...(await endpointComparisons(compared))]) {
      if (wanted(comparison.title)) print(comparison.title, await measure(comparison.works, PLAN));
    }
    for (const { title, lines } of SINGLE_FIGURES) {
      if (wanted(title)) say(`\n${title}\n\n${table(["", "", "ratio"], await lines(compared))}`);
    }
  } finally {
    await compared.stop();
  }
}

async function grow(database: DatabaseServer): Promise<void> {
  const overProcesses = "Whole logins over several processes on one database";
  if (wanted(overProcesses)) {
    const figures = await measureProcesses(ROOT, database, PROCESSES, PLAN);
    print(overProcesses, figures);
    say(limitNote(figures));
  }
  const besidePages = `Open login pages beside ${PAGES.loginsPerSecond} whole logins a second, ${PAGES_PROCESSES} processes`;
  if (wanted(besidePages)) {
    const steps = await measureOpenPages(ROOT, database, PAGES);
    const rows = Object.keys(steps[0]?.figures ?? {}).map((figure) => [
      figure,
      ...steps.map(({ figures }) => figures[figure] ?? ""),
    ]);
    say(`\n${besidePages}\n\n${table(["", ...steps.map(({ name }) => name)], rows)}`);
    say(limitNote(steps));
    for (const { brokenBy } of steps) if (brokenBy) throw brokenBy;
  }
}

/** Parts that measure something other than a rate. */
const SINGLE_FIGURES: { title: string; lines: (compared: Compared) => Promise<string[][]> }[] = [
  {
    title: "Verification of a signature, CPU µs",
    async lines() {
      const { raw, verify, whole } = measureVerification(VERIFICATIONS);
      return [
        ["raw libsecp256k1", number(raw), ""],
        ["parsed key and signature", number(verify), ratio(verify, raw)],
        ["from the texts that are sent", number(whole), ratio(whole, raw)],
      ];
    },
  },
  {
    title: "From the wallet's answer to the event in the browser, ms",
    async lines({ apps }) {
      const rows: string[][] = [];
      for (const app of apps) {
        const { p50, p95 } = await measurePush(app, PUSHES);
        rows.push([`${app.name} p50`, number(p50), ""], [`${app.name} p95`, number(p95), ""]);
      }
      return rows;
    },
  },
  {
    title: "From the wallet's answer to the dashboard on the screen, ms",
    async lines({ apps }) {
      const rows: string[][] = [];
      for (const app of apps) {
        for (const push of [true, false]) {
          const { p50, p95 } = await measureScreen(app, { times: push ? SCREENS : SCREENS_BY_POLL, push });
          const name = `${app.name}, by ${push ? "push" : "the poll alone"}`;
          rows.push([`${name} p50`, number(p50), ""], [`${name} p95`, number(p95), ""]);
        }
      }
      return rows;
    },
  },
  {
    title: "JavaScript of a page, gzip KB",
    async lines({ apps, floor }) {
      const bare = await scriptBytes(floor.url);
      const login = await scriptBytes(`${apps[0].server.url}/login`);
      return [
        ["bare page", number(bare / 1024), ""],
        ["login page", number(login / 1024), ratio(login, bare)],
      ];
    },
  },
  {
    title: "From start to the first answer, ms",
    async lines({ apps }) {
      const times: number[] = [];
      for (let start = 0; start < STARTS; start++) {
        const server = await startBenchApp(ROOT, apps[0].databaseUrl);
        times.push(server.startMs);
        await server.stop();
      }
      return [["this-app", median(times).toFixed(0), ""]];
    },
  },
];

function wanted(title: string): boolean {
  return title.toLowerCase().includes(options.only.toLowerCase());
}

function print(title: string, figures: readonly Figures[]): void {
  say(`\n${title}\n`);
  say(
    table(
      [
        "",
        "a second",
        "ratio",
        "server ms",
        "database ms",
        "CPU ratio",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "idle",
      ],
      figures.map((each) => [
        each.name,
        number(each.perSecond),
        withQuartiles(each.rateRatio),
        number(each.serverMs),
        number(each.databaseMs),
        withQuartiles(each.cpuRatio),
        number(each.p50),
        number(each.p95),
        number(each.p99),
        percent(each.idle),
      ]),
    ),
  );
}

await main();
