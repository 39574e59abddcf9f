import { formatSeconds } from "../kit/waiting.ts";

/** The scenario cannot run on this machine. The message says why. */
export class SkippedScenario extends Error {
  override name = "Skipped";
}

/** @throws {SkippedScenario} if /proc does not exist */
export function requireLinux(): void {
  if (process.platform !== "linux") throw new SkippedScenario("reads what Linux tells of a process");
}

type StageOptions = {
  seed: number;
  /** The commit from which an upgrade starts. Null stands for the previous version. */
  from: string | null;
  say: (text: string) => void;
};

/** Records the results of a scenario, and provides the options of the run. */
export class Stage {
  readonly options: StageOptions;
  /** The result of each claim: whether it was true. */
  readonly checks: boolean[] = [];
  readonly #ends: (() => unknown)[] = [];

  constructor(options: StageOptions) {
    this.options = options;
  }

  /** Records whether a claim is true. If it is false, the scenario continues. */
  check(claim: string, holds: boolean, saw: string): void {
    this.checks.push(holds);
    this.say(`${holds ? "✓" : "✗"} ${claim}: ${saw}`);
  }

  checkAll(claim: string, count: number, total: number): void {
    this.check(claim, count === total, `${count} of ${total}`);
  }

  /** Records whether a list is empty. If the list is not empty, shows its first entries. */
  checkNone(claim: string, found: readonly unknown[]): void {
    this.check(claim, found.length === 0, found.slice(0, 8).join("; ") || "none");
  }

  /** Records whether something happened within the time limit. `ms` is null if it never happened. */
  checkWithin(claim: string, ms: number | null, limitMs: number): void {
    this.check(
      `${claim} within ${formatSeconds(limitMs)}`,
      ms !== null && ms < limitMs,
      `after ${formatSeconds(ms)}`,
    );
  }

  say(text: string): void {
    this.options.say(`  ${text}`);
  }

  /**
   * Registers a function that is called when the scenario ends, even if the scenario fails. The functions are called in
   * reverse order.
   */
  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  async strike(): Promise<void> {
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        this.say(`while cleaning up: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

/** A scenario that causes faults while the application is running. */
export type Scenario = { name: string; title: string; play(stage: Stage): Promise<void> };

/** The status of a response, or the code of a connection error. */
export type Outcome = number | string;

/** Returns how often each outcome occurred, for example `200 ×41, 503 ×3`. */
export function tally(outcomes: readonly Outcome[]): string {
  const sorted = [...Map.groupBy(outcomes, String)].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([outcome, { length }]) => `${outcome} ×${length}`).join(", ") || "none";
}
