import { quantile } from "./measure.ts";

/** How long something took each time it succeeded, and how often it failed. */
export class Tally {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #times: number[] = [];
  #firstError: unknown;
  failed = 0;

  get succeeded(): number {
    return this.#times.length;
  }

  /** Why it first failed, if it never succeeded. */
  get brokenBy(): unknown {
    return this.succeeded === 0 ? this.#firstError : undefined;
  }

  /** Does it once. Returns null when it failed. */
  run<Result>(task: () => Promise<Result>): Promise<Result | null> {
    const attempt = this.#attempt(task).finally(() => this.#underWay.delete(attempt));
    this.#underWay.add(attempt);
    return attempt;
  }

  async #attempt<Result>(task: () => Promise<Result>): Promise<Result | null> {
    const started = performance.now();
    try {
      const result = await task();
      this.#times.push(performance.now() - started);
      return result;
    } catch (error) {
      this.failed++;
      this.#firstError ??= error;
      return null;
    }
  }

  /** Milliseconds of what has succeeded, once all that was begun has ended. */
  async quantiles(): Promise<{ p50: number; p95: number; p99: number }> {
    await Promise.all(this.#underWay);
    const sorted = this.#times.sort((a, b) => a - b);
    return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) };
  }
}
