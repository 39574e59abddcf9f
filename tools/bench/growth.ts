import { EVENT_STREAM_SECONDS } from "#packages/login/http/numbers.ts";
import type { DatabaseServer } from "../kit/database.ts";
import { logIn, registeredWallet } from "../kit/login.ts";
import { type MachineUse, residentMb, watchUse } from "../kit/process-figures.ts";
import type { RunningServer } from "../kit/start-server.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { steadily } from "../kit/waiting.ts";
import { type Figures, figuresOf, measureRounds, type Plan, withOwn } from "./measure.ts";
import { OpenPages, Tally } from "./open-pages.ts";
import { startBenchApp } from "./servers.ts";
import { number, percent } from "./table.ts";

/** How the application scales: over several processes, and with pages open alongside the logins. */

/** Measures whole logins over 1, 2, … processes that share one database. */
export function measureProcesses(
  root: string,
  database: DatabaseServer,
  counts: readonly number[],
  plan: Plan,
): Promise<Figures[]> {
  return withProcesses(root, database, Math.max(...counts), async (all) => {
    const newWallet = () => registeredWallet(pick(all, 0).url);
    const works = counts.map((count) => {
      const servers = all.slice(0, count);
      let turn = 0;
      return {
        name: count === 1 ? "1 process" : `${count} processes`,
        servers: servers.map(({ pid }) => pid),
        database: database.pid,
        run: withOwn(newWallet, (wallet) => logIn(pick(servers, turn++).url, wallet)),
      };
    });
    return figuresOf(await measureRounds(works, plan));
  });
}

type PagesPlan = {
  /** How many pages are open, more at each step. */
  steps: readonly number[];
  loginsPerSecond: number;
  /** How long each step is measured, once its pages are open. */
  seconds: number;
  /** How many times faster than real pages these are opened, and poll. */
  speedup: number;
};

/** A step's figures by their titles, and how the machine was used. */
type PagesStep = MachineUse & {
  name: string;
  figures: Record<string, string>;
  /** The first error, if every request of one kind has failed. */
  brokenBy: unknown;
};

/** A process holds up to 12,000 event streams, but its one thread can barely answer the polls of so many pages. */
export const PAGES_PROCESSES = 2;
const WARM_UP_SECONDS = 10;

/** Measures logins at a steady rate, alongside more and more open pages. */
export function measureOpenPages(
  root: string,
  database: DatabaseServer,
  plan: PagesPlan,
): Promise<PagesStep[]> {
  return withProcesses(root, database, PAGES_PROCESSES, async (servers) => {
    // A person signs in every two seconds, so that no two logins at the same time are one person's.
    const people = Array.from({ length: plan.loginsPerSecond * 2 }, () =>
      registeredWallet(pick(servers, 0).url),
    );
    const wallets = await Promise.all(people);
    const pages = new OpenPages(plan.speedup);
    const measured: PagesStep[] = [];
    let open = 0;
    try {
      for (const step of plan.steps) {
        // Spread over a stream's whole life: streams then end, and pages poll, at even intervals.
        const everyMs = (EVENT_STREAM_SECONDS * 1000) / plan.speedup / (step - open);
        await steadily(everyMs, step - open, (index) => pages.open(pick(servers, index).url));
        open = step;
        measured.push(await measureStep({ servers, database, wallets, pages }, plan, open));
      }
    } finally {
      pages.close();
    }
    return measured;
  });
}

async function measureStep(
  running: { servers: RunningServer[]; database: DatabaseServer; wallets: TestWallet[]; pages: OpenPages },
  { loginsPerSecond, seconds, speedup }: PagesPlan,
  open: number,
): Promise<PagesStep> {
  const { servers, database, wallets, pages } = running;
  const pids = servers.map(({ pid }) => pid);
  const logInFor = async (forSeconds: number) => {
    const logins = new Tally();
    await steadily(1000 / loginsPerSecond, loginsPerSecond * forSeconds, (index) =>
      logins.run(() => logIn(pick(servers, index).url, pick(wallets, index))),
    );
    return logins;
  };
  await logInFor(WARM_UP_SECONDS / speedup);
  const { codes, polls, streams } = pages.startTallies();
  const used = watchUse(pids, database.pid);
  const logins = await logInFor(seconds);
  const use = used();
  const share = (ms: number | null) => percent(ms && ms / use.elapsedMs);
  const perSecond = ({ succeeded }: Tally) => number((succeeded * 1000) / use.elapsedMs);
  // Counted before the wait below: what ends during the wait does not belong to this time.
  const [loginsPerSecondSeen, pollsPerSecond] = [perSecond(logins), perSecond(polls)];
  const [login, poll] = [await logins.quantiles(), await polls.quantiles()];
  return {
    ...use,
    name: `${open} pages`,
    brokenBy: [logins, polls, codes, streams].map((tally) => tally.brokenBy).find(Boolean),
    figures: {
      "event streams open": String(pages.streams),
      "server, of one processor": share(use.serverMs),
      "database, of one processor": share(use.databaseMs),
      "clients, of one processor": percent(use.clients),
      "machine idle": percent(use.idle),
      "server memory, MB": number(residentMb(pids)),
      "logins a second": loginsPerSecondSeen,
      "logins p50 ms": number(login.p50),
      "logins p95 ms": number(login.p95),
      "logins p99 ms": number(login.p99),
      "logins failed": String(logins.failed),
      "polls a second": pollsPerSecond,
      "polls p50 ms": number(poll.p50),
      "polls p99 ms": number(poll.p99),
      "polls failed": String(polls.failed),
      "codes failed": String(codes.failed),
      "streams refused": String(streams.failed),
    },
  };
}

/** Starts processes on a new database, and stops them after `use`. */
async function withProcesses<Result>(
  root: string,
  database: DatabaseServer,
  count: number,
  use: (servers: RunningServer[]) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = await database.create("growth");
  const servers: RunningServer[] = [];
  try {
    // One after the other: the first one migrates.
    while (servers.length < count) servers.push(await startBenchApp(root, databaseUrl));
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function pick<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
