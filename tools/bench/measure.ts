import { type MachineUse, measureUsage, type Usage } from "../kit/process-figures.ts";

/** Something that one of the compared servers does again and again. */
export type BenchTask = {
  name: string;
  /** Does it once. Throws if the outcome is wrong. */
  run: () => Promise<unknown>;
  /** The processes whose processor time it costs: the server's, and the database's if it has one. */
  servers: readonly number[];
  database: number | null;
};

/** A work's figures, over all rounds. */
export type Figures = MachineUse & {
  name: string;
  /** Times a second: the median of the rounds. */
  perSecond: number;
  /** Median processor milliseconds a time, of server and database; null if the system does not report them. */
  serverMs: number | null;
  databaseMs: number | null;
  /** The first work compared with this one. */
  rateRatio: PairedRatio;
  cpuRatio: PairedRatio;
  /** Milliseconds, over all single times. */
  p50: number;
  p95: number;
  p99: number;
};

/**
 * The ratio of two works, round by round: the median and the quartiles. Other work on the machine changes both
 * figures of a round, but hardly their ratio.
 */
export type PairedRatio = { median: number; low: number; high: number } | null;

export type Plan = {
  rounds: number;
  /** How long each work runs in a round. */
  seconds: number;
  /** The number of concurrent runs. */
  atOnce: number;
};

/** One turn of a work: how often it was done, and what one time used. */
export type Round = Usage & {
  perSecond: number;
  /** Of server and database together. */
  cpuMs: number | null;
  times: number[];
};

/**
 * Measures works in turn, round by round, so that whatever else the machine does affects all of them alike. First
 * each warms up for half a round.
 * @param start which start this is, from 0. In each, another work warms up first: the first may stay slower
 */
export async function measureRounds(
  works: readonly BenchTask[],
  plan: Plan,
  start = 0,
): Promise<WorkRounds[]> {
  const measured = works.map((work) => ({ work, name: work.name, rounds: [] as Round[] }));
  for (const { work } of orderOf(measured, start)) await runFor(work, plan.seconds / 2, plan.atOnce);
  for (let round = 0; round < plan.rounds; round++) {
    for (const { work, rounds } of orderOf(measured, round)) rounds.push(await measureRound(work, plan));
  }
  return measured;
}

/** A work's rounds. */
export type WorkRounds = { name: string; rounds: readonly Round[] };

/** The figures of works that were measured side by side. The first is the one that the others are compared with. */
export function figuresOf(measured: readonly WorkRounds[]): Figures[] {
  return measured.map(({ name, rounds }) => figuresOfOne(name, rounds, measured[0]?.rounds ?? []));
}

/**
 * Gives each run a separate person while it lasts, because concurrent logins are different people's.
 * @param runs how many runs a person makes before a new one takes over
 */
export function withPersonPerRun<Person>(
  make: () => Promise<Person> | Person,
  act: (person: Person) => Promise<void>,
  runs = Number.POSITIVE_INFINITY,
) {
  const idle: { person: Person; left: number }[] = [];
  return async () => {
    const { person, left } = idle.pop() ?? { person: await make(), left: runs };
    await act(person);
    if (left > 1) idle.push({ person, left: left - 1 });
  };
}

async function measureRound(work: BenchTask, { seconds, atOnce }: Plan): Promise<Round> {
  const used = measureUsage(work.servers, work.database);
  const times = await runFor(work, seconds, atOnce);
  const use = used();
  const each = (ms: number | null) => ms && ms / times.length;
  const [serverMs, databaseMs] = [each(use.serverMs), each(use.databaseMs)];
  return {
    ...use,
    perSecond: (times.length * 1000) / use.elapsedMs,
    serverMs,
    databaseMs,
    cpuMs: serverMs === null || databaseMs === null ? null : serverMs + databaseMs,
    times,
  };
}

/** Runs a work for a while, each loop at least once. Returns how long each time took. */
async function runFor({ run }: BenchTask, seconds: number, atOnce: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  const loop = async () => {
    do {
      const started = performance.now();
      await run();
      times.push(performance.now() - started);
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return times;
}

function figuresOfOne(name: string, rounds: readonly Round[], first: readonly Round[]): Figures {
  const times = rounds.flatMap((round) => round.times).sort((a, b) => a - b);
  const middle = (values: (number | null)[]) => (values.includes(null) ? null : median(values as number[]));
  return {
    name,
    idle: middle(rounds.map((round) => round.idle)),
    clients: median(rounds.map((round) => round.clients)),
    perSecond: median(rounds.map((round) => round.perSecond)),
    serverMs: middle(rounds.map((round) => round.serverMs)),
    databaseMs: middle(rounds.map((round) => round.databaseMs)),
    rateRatio: pairedRatio(first, rounds, ({ perSecond }) => perSecond),
    cpuRatio: pairedRatio(first, rounds, (round) => round.cpuMs),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

/** Compares two works round by round by one of their figures; null if it was not measured. */
export function pairedRatio<Measured>(
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

/** The value below which a share of sorted numbers lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Works take turns in beginning a round, and every other round runs backwards. Otherwise each would always follow the
 * same one, and wait for the disk writes that it left.
 */
function orderOf<Item>(items: readonly Item[], round: number): Item[] {
  const at = Math.floor(round / 2) % Math.max(1, items.length);
  const order = [...items.slice(at), ...items.slice(0, at)];
  return round % 2 === 0 ? order : order.reverse();
}
