import { formatSeconds } from "../kit/waiting.ts";

/** The message says why this machine cannot run the scenario. */
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

export class Stage {
  readonly options: StageOptions;
  readonly checks: boolean[] = [];
  readonly #ends: (() => unknown)[] = [];

  constructor(options: StageOptions) {
    this.options = options;
  }

  /** The scenario continues either way. */
  check(claim: string, holds: boolean, saw: string): void {
    this.checks.push(holds);
    this.say(`${holds ? "✓" : "✗"} ${claim}: ${saw}`);
  }

  checkAll(claim: string, count: number, total: number): void {
    this.check(claim, count === total, `${count} of ${total}`);
  }

  checkNone(claim: string, found: readonly unknown[]): void {
    this.check(claim, found.length === 0, found.slice(0, 8).join("; ") || "none");
  }

  /** `ms` is null if it never happened. */
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

  /** Called even if the scenario fails. What was registered last is called first. */
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

export type Scenario = { name: string; title: string; play(stage: Stage): Promise<void> };

/** The status of a response, or the code of a connection error. */
export type Outcome = number | string;

/** For example `200 ×41, 503 ×3`. */
export function tally(outcomes: readonly Outcome[]): string {
  const sorted = [...Map.groupBy(outcomes, String)].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([outcome, { length }]) => `${outcome} ×${length}`).join(", ") || "none";
}
