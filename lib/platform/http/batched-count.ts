import { runPrepared } from "../database/db.ts";
import { ADD, WINDOW_SECONDS } from "./limit-counters.ts";

/** A batch is this part of the requests that are left; the last of them are counted one by one. */
const PARTS = 20;

/**
 * A counter that processes share without a query for each request. Requests are counted in memory and added to the
 * database in batches in the background; the answer tells what other processes have added. Batches shrink as the
 * limit comes near, so that a process has at most a twentieth of what is left uncounted.
 */
export class BatchedCount {
  readonly #key: string;
  readonly #limit: number;
  /** What the database held when it was last told. */
  #told = 0;
  /** What it has not confirmed, and how much of that is on its way. */
  #added = 0;
  #sending = 0;
  /** When the window ends. */
  #until = 0;
  #sent: Promise<void> = Promise.resolve();

  constructor(key: string, limit: number) {
    this.#key = key;
    this.#limit = limit;
  }

  /** Requests that are left in this window, as far as this process knows. */
  get remaining(): number {
    if (this.resetMs === 0) this.#begin();
    return this.#limit - this.#told - this.#added;
  }

  /** Milliseconds until the window ends. */
  get resetMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** True until the last requests, which have to be counted one by one. */
  get isFar(): boolean {
    return this.remaining - 1 > this.#limit / PARTS;
  }

  /** Counts a request. */
  add(): void {
    const { remaining } = this;
    this.#added++;
    if (this.#sending === 0 && this.#added >= remaining / PARTS) void this.flush();
  }

  /**
   * Adds what was counted here to the database.
   * @returns false when it could not be told
   */
  async flush(): Promise<boolean> {
    this.#sent = this.#sent.then(() => (this.#added > 0 ? this.#send() : undefined));
    await this.#sent;
    return this.#added === 0;
  }

  #begin(): void {
    this.#told = 0;
    // A batch on its way counts in the window in which it arrives.
    this.#added = this.#sending;
    this.#until = performance.now() + WINDOW_SECONDS * 1000;
  }

  async #send(): Promise<void> {
    this.#sending = this.#added;
    try {
      const [row] = await runPrepared<{ points: number; reset_ms: number }>(ADD, [this.#key, this.#sending]);
      if (!row) return;
      this.#told = row.points;
      this.#added -= this.#sending;
      this.#until = performance.now() + row.reset_ms;
    } catch {
      // If the database is unreachable, this process counts alone and adds its count later.
    } finally {
      this.#sending = 0;
    }
  }
}
