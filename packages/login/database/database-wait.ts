import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "../process/state.ts";
import { DATABASE_WAIT_SECONDS } from "../protocol/numbers.ts";
import { DatabaseTimeoutError } from "./database-error.ts";

/** Also limits a site's own callbacks. */
export const DATABASE_WAIT_MS = DATABASE_WAIT_SECONDS * 1000;

/**
 * The limit covers all connections and results of one request. Other work, such as an outbound request, does not count.
 */
export class DatabaseWaitTimer {
  readonly #limitMs: number;
  #spentMs = 0;
  #waiting = 0;
  #since = 0;
  failed = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get leftMs(): number {
    const running = this.#waiting > 0 ? performance.now() - this.#since : 0;
    return Math.max(0, this.#limitMs - this.#spentMs - running);
  }

  /** Overlapping waits count once. */
  begin(): void {
    if (this.#waiting++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#waiting === 0) this.#spentMs += performance.now() - this.#since;
  }
}

const current = processSingleton(
  "database-wait",
  () => new AsyncLocalStorage<DatabaseWaitTimer | undefined>(),
);

/** Pass undefined for work that continues after its request. */
export function runWithDatabaseWaitTimer<Value>(
  wait: DatabaseWaitTimer | undefined,
  act: () => Value,
): Value {
  return current().run(wait, act);
}

export function getDatabaseWaitTimer(): DatabaseWaitTimer | undefined {
  return current().getStore();
}

/**
 * Waits only as long as the current request may still wait for the database
 * (docs/protocol.md#25-when-the-database-is-unreachable).
 * @throws {DatabaseTimeoutError} if the time runs out; `act` continues nevertheless
 */
export async function limitDatabaseWait<Value>(act: () => Promise<Value>): Promise<Value> {
  const wait = getDatabaseWaitTimer();
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseTimeoutError()), wait?.leftMs ?? DATABASE_WAIT_MS);
  wait?.begin();
  try {
    return await Promise.race([act(), silence]);
  } finally {
    clearTimeout(timer);
    wait?.end();
  }
}
