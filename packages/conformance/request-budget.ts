import { block, PostponedError } from "./check.ts";

export const MAX_REQUESTS = 2_000;

/** Records which of the server's limits are used up. */
export class RequestBudget {
  #sent = 0;
  readonly #limits = new Map<string, { left: number; total: number; until: number }>();

  get sent(): number {
    return this.#sent;
  }

  /** @throws {BlockedError} if the budget is used up */
  spend(): void {
    if (this.#sent >= MAX_REQUESTS)
      block(`The run has sent its ${MAX_REQUESTS} requests. Choose fewer checks with --only`);
    this.#sent++;
  }

  /** From a response's `RateLimit-*` headers. */
  noteLimit(route: string, headers: Record<string, string>): void {
    const left = Number(headers["ratelimit-remaining"] ?? Number.NaN);
    const seconds = Number(headers["ratelimit-reset"] ?? Number.NaN);
    const total = Number(headers["ratelimit-limit"]) || 1;
    if (left >= 0 && seconds >= 0)
      this.#limits.set(route, { left, total, until: Date.now() + seconds * 1000 });
  }

  /** The server says in a 429 that the limit allows no requests for this many seconds. */
  postpone(route: string, seconds: number): PostponedError {
    const until = Date.now() + seconds * 1000;
    this.#limits.set(route, { left: 0, total: 1, until });
    return new PostponedError(until);
  }

  /** In milliseconds as in `Date.now()`. Null if the limit allows `count` requests now. */
  fullUntil(route: string, count: number): number | null {
    const limit = this.#limits.get(route);
    if (!limit || limit.until <= Date.now()) return null;
    // Half of a small limit is enough. The run is then slow, but it can finish.
    const needed = Math.min(count, Math.max(1, limit.total / 2));
    return limit.left < needed ? limit.until : null;
  }
}
