import type { Database } from "../database/database.ts";
import { isDatabaseUnavailable } from "../database/database-error.ts";
import {
  COUNT_REQUEST,
  type CountRequestParameters,
  type RequestCounter,
  type RequestCounts,
} from "../database/sql-function.ts";
import { processSingleton } from "../process/state.ts";
import { Refusal } from "../protocol/errors.ts";
import { findClientNetwork } from "./client-address.ts";
import {
  LIMIT_WINDOW_SECONDS,
  NETWORK_LIMIT_FACTOR,
  REQUESTS_PER_DAY,
  REQUESTS_PER_HOUR,
  REQUESTS_PER_MINUTE,
} from "./numbers.ts";

type Window = { requests: number; windowSeconds: number };

const LIMITS = {
  ...windowsOf(LIMIT_WINDOW_SECONDS, REQUESTS_PER_MINUTE),
  ...windowsOf(60 * 60, REQUESTS_PER_HOUR),
  ...windowsOf(24 * 60 * 60, REQUESTS_PER_DAY),
};

export type LimitName = keyof typeof LIMITS;

export type LimitCounter = { key: string; limit: number; windowSeconds: number };

/** For an IPv6 client, the counter of the client's network follows. */
export type LimitCounters = readonly [caller: LimitCounter, ...network: LimitCounter[]];

export function createLimitCounters(name: LimitName, caller: string, scale = 1): LimitCounters {
  return createWindowCounters(name, LIMITS[name], caller, scale);
}

export function createWindowCounters(
  name: string,
  { requests, windowSeconds }: Window,
  caller: string,
  scale = 1,
): LimitCounters {
  const limit = Math.max(1, Math.round(requests * scale));
  const network = findClientNetwork(caller);
  const clientCounter = { key: `${name}:${caller}`, limit, windowSeconds };
  if (!network) return [clientCounter];
  return [clientCounter, { key: `${name}:${network}`, limit: limit * NETWORK_LIMIT_FACTOR, windowSeconds }];
}

function windowsOf<Name extends string>(windowSeconds: number, limits: Record<Name, number>) {
  const entries = Object.entries<number>(limits).map(([name, requests]) => [
    name,
    { requests, windowSeconds },
  ]);
  return Object.fromEntries(entries) as Record<Name, Window>;
}

/** The request is counted in a separate statement (`take`) or in the statement that serves it (`countWith`). */
export class RequestLimit implements RequestCounter {
  readonly #counters: LimitCounters;
  readonly #database: Database;
  readonly #knownAs: readonly string[];
  #counted = false;
  #headers: Record<string, string> = {};

  /**
   * @param knownAs the keys under which this process remembers callers that have exceeded the limit; by default the
   * counters' own keys
   */
  constructor(counters: LimitCounters, database: Database, knownAs = counters.map(({ key }) => key)) {
    this.#counters = counters;
    this.#database = database;
    this.#knownAs = knownAs;
  }

  /** Also true if the request was refused. */
  get counted(): boolean {
    return this.#counted;
  }

  /** Empty until the request is counted. */
  get headers(): Record<string, string> {
    return this.#headers;
  }

  /**
   * Counts in memory if the database is unreachable.
   * @throws {Refusal} 429 with `Retry-After` if the limit is exceeded
   */
  async take(): Promise<void> {
    try {
      await this.countWith(
        async (values) => (await this.#database.run<RequestCounts>(COUNT_REQUEST, values))[0],
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  async countWith<Row extends RequestCounts | undefined>(
    run: (values: CountRequestParameters) => Promise<Row>,
  ): Promise<Row> {
    this.refuseIfExhausted();
    this.#counted = true;
    const [{ key, limit, windowSeconds }, network] = this.#counters;
    let row: Row;
    try {
      row = await run([key, network?.key ?? null, limit, network?.limit ?? null, windowSeconds]);
    } catch (error) {
      const usedUp = readExhausted(error);
      if (usedUp) this.#exhaust(usedUp.counter === "caller" ? 0 : 1, usedUp.reset_ms);
      if (isDatabaseUnavailable(error)) this.#settle(this.#countInMemory());
      // A failed statement has not counted the request.
      else this.#counted = false;
      throw error;
    }
    if (row) this.#settle(row);
    return row;
  }

  /** @throws {Refusal} 429 */
  refuseIfExhausted(): void {
    for (const [at, key] of this.#knownAs.entries()) {
      const leftMs = exhaustedForMs(key);
      if (leftMs > 0) this.#refuse(at, leftMs);
    }
  }

  #countInMemory(): RequestCounts {
    const [caller, network] = this.#counters;
    const callerCount = countInMemory(caller);
    const row = { counted_requests: callerCount.requests, counted_reset_ms: callerCount.resetMs };
    if (!network || callerCount.requests > caller.limit) return row;
    const networkCount = countInMemory(network);
    return { ...row, network_requests: networkCount.requests, network_reset_ms: networkCount.resetMs };
  }

  #settle({ counted_requests, counted_reset_ms, network_requests, network_reset_ms }: RequestCounts): void {
    const [{ limit }, network] = this.#counters;
    const remaining = limit - counted_requests;
    if (remaining < 0) this.#exhaust(0, counted_reset_ms);
    const networkRemaining = network ? network.limit - (network_requests ?? 0) : remaining;
    if (networkRemaining < 0) this.#exhaust(1, network_reset_ms ?? 0);
    this.#headers = limitHeaders(limit, Math.min(remaining, networkRemaining), counted_reset_ms);
  }

  #exhaust(at: number, resetMs: number): never {
    rememberExhausted(this.#knownAs[at] ?? "", resetMs);
    this.#refuse(at, resetMs);
  }

  /** @param at 0 for the caller's counter, 1 for the network's */
  #refuse(at: number, resetMs: number): never {
    this.#counted = true;
    const { limit } = this.#counters[at] ?? this.#counters[0];
    this.#headers = limitHeaders(limit, 0, resetMs);
    throw rateLimitRefusal(limit, resetMs);
  }
}

/** Raised by `count_request`. */
const LIMIT_USED_UP = "SL429";

function readExhausted(error: unknown): { counter: "caller" | "network"; reset_ms: number } | null {
  const { code, detail } = Object(error);
  return code === LIMIT_USED_UP ? JSON.parse(detail) : null;
}

function limitHeaders(limit: number, remaining: number, resetMs: number) {
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": String(Math.max(1, Math.ceil(resetMs / 1000))),
  };
}

/** No other function creates refusals with this code, so every such refusal includes the limit. */
export function rateLimitRefusal(limit: number, resetMs: number, message?: string): Refusal {
  const headers = limitHeaders(limit, 0, resetMs);
  const { "ratelimit-reset": wait } = headers;
  return new Refusal(
    "rate_limited",
    message ?? `Too many requests. Try again in ${durationText(Number(wait))}.`,
    {
      details: { retry_after: Number(wait) },
      headers: { ...headers, "Retry-After": wait },
    },
  );
}

function durationText(seconds: number): string {
  const [size, unit] = seconds > 7200 ? [3600, "hour"] : seconds > 120 ? [60, "minute"] : [1, "second"];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Applies to each map. If a map is full, its oldest entry is removed. */
const MAX_STORED_CALLERS = 10_000;

const callers = processSingleton("limits", () => ({
  /**
   * The values are the ends of the callers' windows. Until then, this process refuses the caller's requests without a
   * query.
   */
  exhausted: new Map<string, number>(),
  counted: new Map<string, { requests: number; until: number }>(),
}));

function rememberExhausted(key: string, resetMs: number): void {
  remember(callers().exhausted, key, performance.now() + resetMs);
}

function exhaustedForMs(key: string): number {
  const { exhausted } = callers();
  const leftMs = (exhausted.get(key) ?? 0) - performance.now();
  if (leftMs > 0) return leftMs;
  exhausted.delete(key);
  return 0;
}

function countInMemory({ key, windowSeconds }: LimitCounter): { requests: number; resetMs: number } {
  const now = performance.now();
  const { counted } = callers();
  const entry = counted.get(key);
  const until = entry && entry.until > now ? entry.until : now + windowSeconds * 1000;
  const requests = entry?.until === until ? entry.requests + 1 : 1;
  remember(counted, key, { requests, until });
  return { requests, resetMs: until - now };
}

function remember<Known>(remembered: Map<string, Known>, key: string, value: Known): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_STORED_CALLERS && !remembered.has(key) && oldest !== undefined)
    remembered.delete(oldest);
  remembered.set(key, value);
}
