import { isDatabaseUnavailable } from "../database/database-error.ts";
import { COUNT, type CountRow, type CountValues, type RequestCount } from "../store/count-request.ts";
import type { Database } from "../store/database.ts";
import type { Counters } from "./limit-counters.ts";
import { countInMemory, exhaustedForMs, rememberExhausted } from "./limit-memory.ts";
import { limitHeaders, tooManyRequests } from "./too-many-requests.ts";

/** One request under a limit: counted separately (`take`), or in the statement that answers it (`within`). */
export class RequestLimit implements RequestCount {
  readonly #counters: Counters;
  readonly #database: Database;
  readonly #knownAs: readonly string[];
  #counted = false;
  #headers: Record<string, string> = {};

  /** @param knownAs the keys by which refused callers are remembered, if only the database knows the counters' keys */
  constructor(counters: Counters, database: Database, knownAs = counters.map(({ key }) => key)) {
    this.#counters = counters;
    this.#database = database;
    this.#knownAs = knownAs;
  }

  /** Whether it has been counted, or refused. */
  get counted(): boolean {
    return this.#counted;
  }

  /** The `RateLimit-*` headers of the answer; none before it is counted. */
  get headers(): Record<string, string> {
    return this.#headers;
  }

  /**
   * Counts the request in a separate statement, or in memory if the database is unreachable.
   * @throws {Refusal} 429 with `Retry-After` when the limit is used up
   */
  async take(): Promise<void> {
    try {
      await this.within(async (values) => (await this.#database.run<CountRow>(COUNT, values))[0]);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }

  async within<Row extends CountRow | undefined>(run: (values: CountValues) => Promise<Row>): Promise<Row> {
    this.refuseIfExhausted();
    this.#counted = true;
    const [{ key, limit, windowSeconds }, network] = this.#counters;
    let row: Row;
    try {
      row = await run([key, network?.key ?? null, limit, network?.limit ?? null, windowSeconds]);
    } catch (error) {
      const usedUp = readUsedUp(error);
      if (usedUp) this.#exhaust(usedUp.counter === "caller" ? 0 : 1, usedUp.reset_ms);
      if (isDatabaseUnavailable(error)) this.#settle(this.#countInMemory());
      // A statement that failed has counted nothing.
      else this.#counted = false;
      throw error;
    }
    if (row) this.#settle(row);
    return row;
  }

  /** @throws {Refusal} 429 when this process knows that the limit is used up */
  refuseIfExhausted(): void {
    for (const [at, key] of this.#knownAs.entries()) {
      const leftMs = exhaustedForMs(key);
      if (leftMs > 0) this.#refuse(at, leftMs);
    }
  }

  #countInMemory(): CountRow {
    const [caller, network] = this.#counters;
    const own = countInMemory(caller);
    const row = { counted_requests: own.requests, counted_reset_ms: own.resetMs };
    if (!network || own.requests > caller.limit) return row;
    const around = countInMemory(network);
    return { ...row, network_requests: around.requests, network_reset_ms: around.resetMs };
  }

  #settle({ counted_requests, counted_reset_ms, network_requests, network_reset_ms }: CountRow): void {
    const [{ limit }, network] = this.#counters;
    const left = limit - counted_requests;
    if (left < 0) this.#exhaust(0, counted_reset_ms);
    const leftAround = network ? network.limit - (network_requests ?? 0) : left;
    if (leftAround < 0) this.#exhaust(1, network_reset_ms ?? 0);
    this.#headers = limitHeaders(limit, Math.min(left, leftAround), counted_reset_ms);
  }

  #exhaust(at: number, resetMs: number): never {
    rememberExhausted(this.#knownAs[at] ?? "", resetMs);
    this.#refuse(at, resetMs);
  }

  /** @param at which counter refuses: 0 for the caller's, 1 for the network's */
  #refuse(at: number, resetMs: number): never {
    this.#counted = true;
    const { limit } = this.#counters[at] ?? this.#counters[0];
    this.#headers = limitHeaders(limit, 0, resetMs);
    throw tooManyRequests(limit, resetMs);
  }
}

/** The SQLSTATE that `count_request` raises when a limit is used up. */
const LIMIT_USED_UP = "SL429";

/** Which counter is used up, and until when; null for any other error. */
function readUsedUp(error: unknown): { counter: "caller" | "network"; reset_ms: number } | null {
  const { code, detail } = Object(error);
  return code === LIMIT_USED_UP ? JSON.parse(detail) : null;
}
