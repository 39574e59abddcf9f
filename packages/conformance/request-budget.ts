import { block, PostponedError } from "./check.ts";

export const MAX_REQUESTS = 2_000;

/** Counts a run's requests, and records which of the server's limits are used up. */
export class RequestBudget {
  #sent = 0;
  readonly #limits = new Map<string, { left: number; total: number; until: number }>();

  get sent(): number {
    return this.#sent;
  }

  /**
   * Counts a request.
   * @throws {BlockedError} if the budget is used up
   */
  spend(): void {
    if (this.#sent >= MAX_REQUESTS)
      block(`The run has sent its ${MAX_REQUESTS} requests. Choose fewer checks with --only`);
    this.#sent++;
  }

  /** Records how many requests a limit still allows, according to a response's `RateLimit-*` headers. */
  noteLimit(route: string, headers: Record<string, string>): void {
    const left = Number(headers["ratelimit-remaining"] ?? Number.NaN);
    const seconds = Number(headers["ratelimit-reset"] ?? Number.NaN);
    const total = Number(headers["ratelimit-limit"]) || 1;
    if (left >= 0 && seconds >= 0)
      this.#limits.set(route, { left, total, until: Date.now() + seconds * 1000 });
  }

  /** Records that a limit allows no requests for this many seconds, as the server says in a 429. */
  postpone(route: string, seconds: number): PostponedError {
    const until = Date.now() + seconds * 1000;
    this.#limits.set(route, { left: 0, total: 1, until });
    return new PostponedError(until);
  }

  /**
   * Returns when the limit will allow `count` requests, in milliseconds as in `Date.now()`. Returns null if it allows
   * them now.
   */
  fullUntil(route: string, count: number): number | null {
    const limit = this.#limits.get(route);
    if (!limit || limit.until <= Date.now()) return null;
    // If the limit is small, half of it is enough. The run is then slow, but it can finish.
    const needed = Math.min(count, Math.max(1, limit.total / 2));
    return limit.left < needed ? limit.until : null;
  }
}
