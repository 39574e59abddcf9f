import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import {
  API_KEY_LIMITS_PER_MINUTE,
  DELIVERY_PER_MINUTE,
  ISSUE_PER_MINUTE,
  POLL_PER_MINUTE,
} from "#lib/contracts/limits.ts";
import { ApiError } from "../api-error.ts";
import { isDatabaseUnavailable } from "../database-error.ts";
import { runPrepared } from "../db.ts";
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
  getqrcode: ISSUE_PER_MINUTE,
  fastauth: DELIVERY_PER_MINUTE,
  checkfast: POLL_PER_MINUTE,
} as const;

export type LimitName = keyof typeof PER_MINUTE;

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
const NOW_MS = "(extract(epoch FROM now()) * 1000)::bigint";

/** What a statement tells of the count that it made. */
export type CountRow = {
  /** Requests in this window, this one included. */
  count: number;
  /** Milliseconds until the window ends. */
  reset_ms: number;
};

/**
 * Counts one request of the caller `$1` against `$2` a window, as a common table expression that an endpoint's own
 * statement begins with: exact across processes, by the database's clock, and no round trip of its own. Its
 * `within` says whether the rest may be done.
 * @param from a `FROM` clause of one row, or of none when there is nobody to count
 */
export const counted = (from = "") => `counted AS (
  INSERT INTO rate_limit AS counter (key, points, expire)
  SELECT $1::text, 1, ${NOW_MS} + ${WINDOW_MS} ${from}
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counter.expire > ${NOW_MS} THEN counter.points + 1 ELSE 1 END,
    expire = CASE WHEN counter.expire > ${NOW_MS} THEN counter.expire ELSE excluded.expire END
  RETURNING points AS count, points <= $2::int AS within, (expire - ${NOW_MS})::int AS reset_ms
)`;

/**
 * A column that lets a statement which writes nothing but a count be answered before that is on disk: should the
 * database lose its power now, a few requests more are let through.
 */
export const NOT_AWAITED = "set_config('synchronous_commit', 'off', true)";

const COUNT = {
  name: "count",
  text: `WITH ${counted()} SELECT count, reset_ms, ${NOT_AWAITED} FROM counted`,
};

// What is over its limit stays so until its window ends: it is refused here without asking the database again.
const EXHAUSTED_KEPT = 10_000;
const exhausted = processSingleton("exhausted-limits", () => new Map<string, number>());

const memories = processSingleton("limits-in-memory", () => new Map<LimitName, RateLimiterMemory>());

/** One request's place under a limit, counted once: by itself, or with the statement that answers the request. */
export class RequestLimit {
  readonly #name: LimitName;
  readonly #caller: string;
  readonly #points: number;
  #counted = false;
  #headers: Record<string, string> = {};

  constructor(name: LimitName, caller: string) {
    this.#name = name;
    this.#caller = caller;
    this.#points = Math.max(1, Math.round(PER_MINUTE[name] * env().RATE_LIMIT_SCALE));
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
   * Counts the request in a statement of its own; in this process's memory while the database is away.
   * @throws {ApiError} 429 with `Retry-After` when there are none left
   */
  async take(): Promise<void> {
    try {
      await this.within(async (values) => (await runPrepared<CountRow>(COUNT, values))[0]);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  /**
   * Counts the request with a statement that holds `counted`.
   * @param run gets the values of `$1` and `$2`
   * @returns what it answered; undefined when there was nobody to count
   * @throws {ApiError} 429 with `Retry-After` when there are none left; what `run` throws
   */
  async within<Row extends CountRow>(
    run: (values: readonly [string, number]) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    this.refuseIfExhausted();
    this.#counted = true;
    let row: Row | undefined;
    try {
      row = await run([this.#key, this.#points]);
    } catch (error) {
      if (isDatabaseUnavailable(error)) await this.#takeFromMemory();
      throw error;
    }
    if (row) this.#settle(row.count, row.reset_ms);
    return row;
  }

  /** @throws {ApiError} 429 when this process knows that there are none left */
  refuseIfExhausted(): void {
    const until = exhausted().get(this.#key);
    if (until === undefined) return;
    if (until > performance.now()) this.#settle(this.#points + 1, until - performance.now());
    exhausted().delete(this.#key);
  }

  get #key(): string {
    return `${this.#name}:${this.#caller}`;
  }

  async #takeFromMemory(): Promise<void> {
    const known = memories().get(this.#name);
    const memory = known ?? new RateLimiterMemory({ points: this.#points, duration: WINDOW_SECONDS });
    if (!known) memories().set(this.#name, memory);
    try {
      await memory.consume(this.#caller);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.#settle(this.#points + 1, refusal.msBeforeNext);
    }
  }

  #settle(count: number, resetMs: number): void {
    const wait = String(Math.max(1, Math.ceil(resetMs / 1000)));
    this.#counted = true;
    this.#headers = {
      "RateLimit-Limit": String(this.#points),
      "RateLimit-Remaining": String(Math.max(0, this.#points - count)),
      "RateLimit-Reset": wait,
    };
    if (count <= this.#points) return;
    remember(this.#key, performance.now() + resetMs);
    throw new ApiError("rate_limited", `Too many requests. Try again in ${wait} seconds.`, {
      details: { retry_after: Number(wait) },
      headers: { ...this.#headers, "Retry-After": wait },
    });
  }
}

function remember(key: string, until: number): void {
  const [oldest] = exhausted().keys();
  if (exhausted().size >= EXHAUSTED_KEPT && oldest !== undefined) exhausted().delete(oldest);
  exhausted().set(key, until);
}
