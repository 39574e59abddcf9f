import { measureUsage, type Usage } from "../kit/process-figures.ts";

export type BenchTask = {
  name: string;
  /** Throws if the result is wrong. */
  run: () => Promise<unknown>;
  /** The ids of the server processes whose CPU time is measured. The database has its own figure. */
  servers: readonly number[];
  database: number | null;
};

export type Figures = {
  name: string;
  /** The share of all processors' time that was idle (the median of the rounds). */
  idle: number | null;
  /** The median of the rounds. */
  perSecond: number;
  /** CPU milliseconds for each run (the median); null if the system does not report them. */
  serverMs: number | null;
  databaseMs: number | null;
  /** The ratio of the first workload's rate to this workload's rate. */
  rateRatio: PairedRatio;
  cpuRatio: PairedRatio;
  /** The median duration of a single run, in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
};

/**
 * Computed for each round: the median and the quartiles. Other programs change both figures of a round, but hardly
 * their ratio.
 */
export type PairedRatio = { median: number; low: number; high: number } | null;

export type Plan = {
  rounds: number;
  /** For each workload in a round. */
  seconds: number;
  atOnce: number;
};

/** `Usage` is the cost of one run. */
export type Round = Usage & {
  perSecond: number;
  /** The CPU time (ms) of the server and the database together, for one run. */
  cpuMs: number | null;
  times: number[];
};

/**
 * Measures workloads in turn, round by round, so that other programs affect all of them equally. Each workload first
 * warms up for half a round.
 * @param start which workload warms up first, counted from 0; vary it between measurements, because the workload that
 * warms up first can stay slower
 */
export async function measureRounds(
  works: readonly BenchTask[],
  plan: Plan,
  start = 0,
): Promise<WorkloadRounds[]> {
  const measured = works.map((work) => ({ work, name: work.name, rounds: [] as Round[] }));
  for (const { work } of orderOf(measured, start)) await runFor(work, plan.seconds / 2, plan.atOnce);
  for (let round = 0; round < plan.rounds; round++) {
    for (const { work, rounds } of orderOf(measured, round)) rounds.push(await measureRound(work, plan));
  }
  return measured;
}

export type WorkloadRounds = { name: string; rounds: readonly Round[] };

/** The other workloads are compared with the first one. */
export function toFigures(measured: readonly WorkloadRounds[]): Figures[] {
  return measured.map(({ name, rounds }) => computeFigures(name, rounds, measured[0]?.rounds ?? []));
}

/**
 * Assigns a person to each run. The person takes part in no other run at the same time, because concurrent logins
 * belong to different people.
 * @param runs the number of runs after which a new person replaces the old one
 */
export function withPersonPerRun<Person>(
  make: () => Promise<Person> | Person,
  act: (person: Person) => Promise<void>,
  runs = Number.POSITIVE_INFINITY,
) {
  const idle: { person: Person; remainingRuns: number }[] = [];
  return async () => {
    const { person, remainingRuns } = idle.pop() ?? { person: await make(), remainingRuns: runs };
    await act(person);
    if (remainingRuns > 1) idle.push({ person, remainingRuns: remainingRuns - 1 });
  };
}

async function measureRound(work: BenchTask, { seconds, atOnce }: Plan): Promise<Round> {
  const used = measureUsage(work.servers, work.database);
  const times = await runFor(work, seconds, atOnce);
  const use = used();
  const perRun = (ms: number | null) => ms && ms / times.length;
  const [serverMs, databaseMs] = [perRun(use.serverMs), perRun(use.databaseMs)];
  return {
    ...use,
    perSecond: (times.length * 1000) / use.elapsedMs,
    serverMs,
    databaseMs,
    cpuMs: serverMs === null || databaseMs === null ? null : serverMs + databaseMs,
    times,
  };
}

/** At least one run in each concurrent loop. Returns how long each run took. */
async function runFor({ run }: BenchTask, seconds: number, atOnce: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  const loop = async () => {
    do {
      const startedAt = performance.now();
      await run();
      times.push(performance.now() - startedAt);
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return times;
}

function computeFigures(name: string, rounds: readonly Round[], first: readonly Round[]): Figures {
  const times = rounds.flatMap((round) => round.times).sort((a, b) => a - b);
  const middle = (values: (number | null)[]) => (values.includes(null) ? null : median(values as number[]));
  return {
    name,
    idle: middle(rounds.map((round) => round.idle)),
    perSecond: median(rounds.map((round) => round.perSecond)),
    serverMs: middle(rounds.map((round) => round.serverMs)),
    databaseMs: middle(rounds.map((round) => round.databaseMs)),
    rateRatio: computePairedRatio(first, rounds, ({ perSecond }) => perSecond),
    cpuRatio: computePairedRatio(first, rounds, (round) => round.cpuMs),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

/** Round by round. Null if the figure was not measured. */
export function computePairedRatio<Measured>(
  first: readonly Measured[],
  other: readonly Measured[],
  figure: (measured: Measured) => number | null,
): PairedRatio {
  const ratios = first.flatMap((measured, round) => {
    const [a, b] = [figure(measured), other[round] === undefined ? null : figure(other[round])];
    return a === null || !b ? [] : [a / b];
  });
  if (ratios.length === 0) return null;
  const sorted = ratios.sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Returns the order of the workloads in a round. Each round begins with a different workload, and every other round
 * runs backwards. Otherwise, a workload would always follow the same other workload, and would wait for that workload's
 * remaining disk writes.
 */
function orderOf<Item>(items: readonly Item[], round: number): Item[] {
  const at = Math.floor(round / 2) % Math.max(1, items.length);
  const order = [...items.slice(at), ...items.slice(0, at)];
  return round % 2 === 0 ? order : order.reverse();
}
