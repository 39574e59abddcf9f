/** A scenario cannot be played here; the message says why. */
export class Skipped extends Error {
  override name = "Skipped";
}

/** A claim of a scenario, whether it held, and what was seen. */
export type Check = { claim: string; holds: boolean; saw: string };

/** What a scenario is told, and where it puts what it saw. */
export class Stage {
  readonly checks: Check[] = [];
  /** For how long what takes its time is played; null for the scenario's own measure. */
  readonly minutes: number | null;
  /** Of everything random. */
  readonly seed: number;
  /** The commit that an upgrade comes from; null for the version before this one. */
  readonly from: string | null;
  readonly #say: (text: string) => void;
  readonly #ends: (() => unknown)[] = [];

  constructor(options: {
    minutes: number | null;
    seed: number;
    from: string | null;
    say: (text: string) => void;
  }) {
    this.minutes = options.minutes;
    this.seed = options.seed;
    this.from = options.from;
    this.#say = options.say;
  }

  /** Records a claim; the scenario goes on whether it holds or not. */
  check(claim: string, holds: boolean, saw: string): void {
    this.checks.push({ claim, holds, saw });
    this.say(`${holds ? "✓" : "✗"} ${claim}: ${saw}`);
  }

  say(text: string): void {
    this.#say(`  ${text}`);
  }

  /** Runs `end` when the scenario is over, the last one first, however it went. */
  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Takes down whatever the scenario put up. */
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

/** One fault, played against running processes of the application. */
export type Scenario = { name: string; title: string; play(stage: Stage): Promise<void> };
