import { RateLimiterMemory } from "rate-limiter-flexible";
import { isDatabaseUnavailable } from "#lib/platform/database/database-error.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { CLIENTS_PER_NETWORK, REQUESTS_PER_HOUR, REQUESTS_PER_MINUTE } from "../numbers.ts";
import { ApiError } from "./api-error.ts";
import { networkOf } from "./client-address.ts";
import { type CountRow, WINDOW_SECONDS } from "./limit-counters.ts";

/** How many requests each limit allows in a window of how many seconds. */
const LIMITS = {
  ...windowsOf(WINDOW_SECONDS, REQUESTS_PER_MINUTE),
  ...windowsOf(60 * 60, REQUESTS_PER_HOUR),
};

export type LimitName = keyof typeof LIMITS;

/** A counter, and how many requests it allows in a window. */
export type Counter = { key: string; limit: number; windowSeconds: number };

/** What `counted` is asked with: the counters' keys, the limit, the window's seconds. */
export type CountValues = readonly [string[], number, number];

/** Counts in a statement of its own: runs `COUNT` with these values. */
export type CountRequest = (values: CountValues) => Promise<CountRow | undefined>;

// A caller over its limit is refused from memory until the window ends.
const EXHAUSTED_KEPT = 10_000;
const exhausted = processSingleton("exhausted-limits", () => new Map<string, number>());

/** Counts while the database is unreachable. The limit is decided here, not by `points`. */
const memory = processSingleton(
  "limits-in-memory",
  () => new RateLimiterMemory({ points: 1, duration: WINDOW_SECONDS }),
);

/**
 * A limit's counters: the caller's own and, for an IPv6 client, its network's.
 * @param scale multiplies the limit
 */
export function limitCounters(name: LimitName, caller: string, scale = 1): Counter[] {
  const { requests, windowSeconds } = LIMITS[name];
  const limit = Math.max(1, Math.round(requests * scale));
  const network = networkOf(caller);
  const own = { key: `${name}:${caller}`, limit, windowSeconds };
  if (!network) return [own];
  return [own, { key: `${name}:${network}`, limit: limit * CLIENTS_PER_NETWORK, windowSeconds }];
}

function windowsOf<Name extends string>(windowSeconds: number, limits: Record<Name, number>) {
  const entries = Object.entries<number>(limits).map(([name, requests]) => [
    name,
    { requests, windowSeconds },
  ]);
  return Object.fromEntries(entries) as Record<Name, { requests: number; windowSeconds: number }>;
}

/** The `RateLimit-*` headers of an answer. */
export function limitHeaders(limit: number, remaining: number, resetMs: number) {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(Math.max(0, remaining)),
    "RateLimit-Reset": String(Math.max(1, Math.ceil(resetMs / 1000))),
  };
}

/** One request's place under a limit, counted once: by itself, or with the statement that answers the request. */
export class RequestLimit {
  readonly #counters: readonly Counter[];
  readonly #count: CountRequest;
  readonly #knownAs: readonly string[];
  #counted = false;
  #headers: Record<string, string> = {};

  /** @param knownAs the keys by which this process knows who is refused, where only the database knows the counters' */
  constructor(counters: readonly Counter[], count: CountRequest, knownAs = counters.map(({ key }) => key)) {
    this.#counters = counters;
    this.#count = count;
    this.#knownAs = knownAs;
  }

  /** Whether it has been counted, or refused. */
  get counted(): boolean {
    return this.#counted;
  }

  /** The `RateLimit-*` headers of the answer; none before it is counted, nor while the database is away. */
  get headers(): Record<string, string> {
    return this.#headers;
  }

  /**
   * Counts the request in a statement of its own, or in memory if the database is unreachable.
   * @throws {ApiError} 429 with `Retry-After` when there are none left
   */
  async take(): Promise<void> {
    try {
      await this.within(this.#count);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  /**
   * Counts the request with a statement that holds `counted`.
   * @param run gets the values of `$1` to `$3`
   * @returns what it answered; undefined when there was nobody to count
   * @throws {ApiError} 429 with `Retry-After` when there are none left; what `run` throws
   */
  async within<Row extends CountRow>(
    run: (values: CountValues) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    this.refuseIfExhausted();
    this.#counted = true;
    let row: Row | undefined;
    try {
      const windowSeconds = this.#counters[0]?.windowSeconds ?? WINDOW_SECONDS;
      row = await run([this.#counters.map(({ key }) => key), this.#limit, windowSeconds]);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.#settle(await this.#countInMemory());
      // A statement that failed has counted nothing.
      else this.#counted = false;
      throw error;
    }
    if (row) this.#settle(row);
    return row;
  }

  /** @throws {ApiError} 429 when this process knows that there are none left */
  refuseIfExhausted(): void {
    const now = performance.now();
    for (const key of this.#knownAs) {
      const until = exhausted().get(key) ?? 0;
      if (until > now) this.#refuse(until - now);
      exhausted().delete(key);
    }
  }

  get #limit(): number {
    return this.#counters[0]?.limit ?? 0;
  }

  async #countInMemory(): Promise<CountRow> {
    const row: CountRow = { count: [], reset_ms: [] };
    for (const { key, limit, windowSeconds } of this.#counters) {
      const { consumedPoints, msBeforeNext } = await memory().penalty(key, 1, {
        customDuration: windowSeconds,
      });
      row.count.push(consumedPoints);
      row.reset_ms.push(msBeforeNext);
      if (consumedPoints > limit) break;
    }
    return row;
  }

  #settle({ count, reset_ms }: CountRow): void {
    let remaining = this.#limit;
    for (const [index, { limit }] of this.#counters.entries()) {
      const left = limit - (count[index] ?? 0);
      const resetMs = reset_ms[index] ?? 0;
      if (left < 0) {
        remember(this.#knownAs[index] ?? "", performance.now() + resetMs);
        this.#refuse(resetMs);
      }
      remaining = Math.min(remaining, left);
    }
    this.#headers = limitHeaders(this.#limit, remaining, reset_ms[0] ?? 0);
  }

  #refuse(resetMs: number): never {
    this.#counted = true;
    this.#headers = limitHeaders(this.#limit, 0, resetMs);
    throw tooManyRequests(this.#limit, resetMs);
  }
}

/** The refusal of a request that is over its limit. */
export function tooManyRequests(limit: number, resetMs: number): ApiError {
  const headers = limitHeaders(limit, 0, resetMs);
  const { "RateLimit-Reset": wait } = headers;
  return new ApiError(
    "rate_limited",
    `Too many requests. Try again in ${wait} ${wait === "1" ? "second" : "seconds"}.`,
    {
      details: { retry_after: Number(wait) },
      headers: { ...headers, "Retry-After": wait },
    },
  );
}

function remember(key: string, until: number): void {
  const [oldest] = exhausted().keys();
  if (exhausted().size >= EXHAUSTED_KEPT && oldest !== undefined) exhausted().delete(oldest);
  exhausted().set(key, until);
}
