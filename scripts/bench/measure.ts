import { cpuMs } from "./process-cpu.ts";

/** One thing that is done over and over, by one of those that are compared. */
export type Work = {
  name: string;
  /** Does it once; throws when the outcome is not the expected one. */
  run: () => Promise<void>;
  /** Whose processor time it costs. */
  pids: readonly number[];
};

/** A work's figures, over all rounds. */
export type Figures = {
  name: string;
  /** Times a second: the median of the rounds. */
  perSecond: number;
  /** Processor milliseconds each: the median of the rounds; null where the system does not tell. */
  cpuMs: number | null;
  /** Of all single times, in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
};

export type Plan = {
  rounds: number;
  /** How long each work runs in a round. */
  seconds: number;
  /** How many run at once. */
  atOnce: number;
};

type Round = { perSecond: number; cpuMs: number | null; times: number[] };

/**
 * Measures works in turn, round by round, so that whatever else the machine does meets all of them alike. Before
 * the first round each runs for half a round's time that does not count.
 */
export async function measure(works: readonly Work[], plan: Plan): Promise<Figures[]> {
  const rounds = new Map<Work, Round[]>(works.map((work) => [work, []]));
  for (const work of works) await runFor(work, plan.seconds / 2, plan.atOnce);
  for (let round = 0; round < plan.rounds; round++) {
    for (const work of rotate(works, round)) rounds.get(work)?.push(await measureRound(work, plan));
  }
  return works.map((work) => figuresOf(work.name, rounds.get(work) ?? []));
}

async function measureRound(work: Work, { seconds, atOnce }: Plan): Promise<Round> {
  const cpuBefore = cpuMs(work.pids);
  const started = performance.now();
  const times = await runFor(work, seconds, atOnce);
  const elapsed = performance.now() - started;
  const cpuAfter = cpuMs(work.pids);
  return {
    perSecond: (times.length * 1000) / elapsed,
    cpuMs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / times.length,
    times,
  };
}

/** Runs a work for a while, at least once each, and returns how long each time took. */
async function runFor({ run }: Work, seconds: number, atOnce: number): Promise<number[]> {
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

function figuresOf(name: string, rounds: readonly Round[]): Figures {
  const times = rounds.flatMap((round) => round.times).sort((a, b) => a - b);
  const cpu = rounds.flatMap((round) => round.cpuMs ?? []);
  return {
    name,
    perSecond: median(rounds.map((round) => round.perSecond)),
    cpuMs: cpu.length > 0 ? median(cpu) : null,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

/** The middle of some numbers. */
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

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}
