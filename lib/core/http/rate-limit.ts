import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import {
  API_KEY_LIMITS_PER_MINUTE,
  DELIVERY_PER_MINUTE,
  ISSUE_PER_MINUTE,
  POLL_PER_MINUTE,
} from "#lib/contracts/limits.ts";
import { ApiError } from "../api-error.ts";
import { pool } from "../db.ts";
import { env } from "../env.ts";
import { processSingleton } from "../process-singleton.ts";

/**
 * The named limits, in requests a minute and caller: a client address, where each endpoint counts by itself, or
 * an API key (contract 2).
 */
const PER_MINUTE = {
  qr: ISSUE_PER_MINUTE,
  check: POLL_PER_MINUTE,
  events: POLL_PER_MINUTE,
  "webhook-login": DELIVERY_PER_MINUTE,
  "webhook-register": DELIVERY_PER_MINUTE,
  "webhook-sessions": DELIVERY_PER_MINUTE,
  "hosted-demo-qr": ISSUE_PER_MINUTE,
  "hosted-demo-check": POLL_PER_MINUTE,
  ...API_KEY_LIMITS_PER_MINUTE,
} as const;

export type LimitName = keyof typeof PER_MINUTE;

const WINDOW_SECONDS = 60;

const limiters = processSingleton("limiters", () => new Map<LimitName, RateLimiterPostgres>());

// Counted in PostgreSQL, so that a limit holds across processes; in memory while PostgreSQL is away.
function limiterOf(name: LimitName): RateLimiterPostgres {
  const known = limiters().get(name);
  if (known) return known;
  const options = {
    keyPrefix: name,
    points: Math.max(1, Math.round(PER_MINUTE[name] * env().RATE_LIMIT_SCALE)),
    duration: WINDOW_SECONDS,
  };
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: pool(),
    storeType: "pool",
    tableName: "rate_limit",
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  limiters().set(name, limiter);
  return limiter;
}

/**
 * Counts one request of `caller` against a limit and returns the `RateLimit-*` headers of its answer.
 * @throws {ApiError} 429 with `Retry-After` when there are none left
 */
export async function takeFromLimit(name: LimitName, caller: string): Promise<Record<string, string>> {
  const limiter = limiterOf(name);
  try {
    return headersOf(limiter.points, await limiter.consume(caller));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const headers = headersOf(limiter.points, refusal);
    const wait = headers["RateLimit-Reset"] ?? String(WINDOW_SECONDS);
    throw new ApiError("rate_limited", `Too many requests. Try again in ${wait} seconds.`, {
      details: { retry_after: Number(wait) },
      headers: { ...headers, "Retry-After": wait },
    });
  }
}

function headersOf(limit: number, state: RateLimiterRes): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(Math.max(0, state.remainingPoints)),
    "RateLimit-Reset": String(Math.max(1, Math.ceil(state.msBeforeNext / 1000))),
  };
}
