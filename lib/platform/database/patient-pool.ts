import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { watchQueries } from "../observe/watch-queries.ts";
import { DatabaseSilentError, isDatabaseUnavailable } from "./database-error.ts";
import { databaseWait } from "./database-wait.ts";

type Acquired = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

const NOTHING = () => {};

/**
 * A pool that does not wait for ever (docs/decisions/0026). A statement without an answer is given up after
 * `answerTimeoutMs`, or when its request has waited long enough, and so is a request for a connection.
 */
export class PatientPool extends pg.Pool {
  /** When the database last answered, by `performance.now()`. */
  answeredAt = Number.NEGATIVE_INFINITY;

  constructor(config: pg.PoolConfig, answerTimeoutMs: number) {
    super(config);
    const onAnswer = () => {
      this.answeredAt = performance.now();
    };
    this.on("connect", (client) => {
      if (client instanceof pg.Client) giveUpSilence(client, answerTimeoutMs, onAnswer);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<pg.PoolClient> | undefined {
    if (callback) {
      // The pool calls back from whichever request has just released its connection.
      this.#acquire(AsyncLocalStorage.bind(callback));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#acquire((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  #acquire(callback: Acquired): void {
    const wait = databaseWait();
    if (!wait) {
      super.connect(callback);
      return;
    }
    wait.begin();
    let over = false;
    const end: Acquired = (error, client, release) => {
      // Given up before: the connection is for somebody else.
      if (over) return release();
      over = true;
      clearTimeout(timer);
      wait.end();
      if (error && isDatabaseUnavailable(error)) wait.failed = true;
      callback(error, client, release);
    };
    const timer = setTimeout(() => end(new DatabaseSilentError(), undefined, NOTHING), wait.leftMs);
    super.connect(end);
  }
}

/**
 * Destroys a connection when a statement on it has waited too long, and fails the statement: nobody knows what a
 * silent connection says next, so it is not used again.
 */
export function giveUpSilence(client: pg.Client, answerTimeoutMs: number, onAnswer = NOTHING): void {
  watchQueries(client, () => {
    const wait = databaseWait();
    wait?.begin();
    const timer = setTimeout(
      () => client.connection.stream.destroy(new DatabaseSilentError()),
      Math.min(answerTimeoutMs, wait?.leftMs ?? answerTimeoutMs),
    );
    return (error) => {
      clearTimeout(timer);
      wait?.end();
      if (!error) onAnswer();
      else if (wait && isDatabaseUnavailable(error)) wait.failed = true;
    };
  });
}
