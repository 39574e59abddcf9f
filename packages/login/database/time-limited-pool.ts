import pg from "pg";
import { DatabaseTimeoutError, DatabaseUnreachableError, isDatabaseUnavailable } from "./database-error.ts";
import { getDatabaseWaitTimer, runWithDatabaseWaitTimer } from "./database-wait.ts";

type Acquired = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: boolean | Error) => void,
) => void;

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const DO_NOTHING = () => {};

/**
 * A connection that is independent of the request that opened it. Without this class, Node.js would handle the
 * connection's events in that request's asynchronous context, and a job started by a notification would use up the time
 * limit of a request that ended long ago.
 */
class SharedClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    return runWithDatabaseWaitTimer(undefined, () =>
      callback ? void super.connect(callback) : super.connect(),
    );
  }
}

/** Opening a connection takes about 20 ms, and networks drop a silent connection after four minutes or more. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Stops waiting for a statement or a connection after `answerTimeoutMs`, or when the request has used up its time for
 * the database (docs/decisions/0026).
 */
export class TimeLimitedPool extends pg.Pool {
  /** In milliseconds, as `performance.now()` returns it. */
  answeredAt = Number.NEGATIVE_INFINITY;

  constructor(config: pg.PoolConfig, answerTimeoutMs: number) {
    super({ idleTimeoutMillis: IDLE_TIMEOUT_MS, ...config, Client: SharedClient });
    const noteAnswer = () => {
      this.answeredAt = performance.now();
    };
    this.on("connect", (client) => {
      if (client instanceof pg.Client) destroyConnectionOnTimeout(client, answerTimeoutMs, noteAnswer);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<pg.PoolClient> | undefined {
    const acquired = new Promise<pg.PoolClient>((resolve, reject) => {
      this.#acquire((error, client) => (client ? resolve(client) : reject(error)));
    });
    if (!callback) return acquired;
    // The pool runs its callbacks in the context of the request that released the connection. With a promise, the
    // callback runs in the context of the request that needs the connection.
    acquired.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, DO_NOTHING),
    );
    return undefined;
  }

  #acquire(callback: Acquired): void {
    const acquired: Acquired = (error, client, release) =>
      callback(error && new DatabaseUnreachableError(error), client, release);
    const wait = getDatabaseWaitTimer();
    if (!wait) {
      super.connect(acquired);
      return;
    }
    wait.begin();
    let isOver = false;
    const end: Acquired = (error, client, release) => {
      if (isOver) {
        // This request has already timed out, so the connection goes to the next request. If connecting failed, there
        // is no connection to release.
        if (client) release();
        return;
      }
      isOver = true;
      clearTimeout(timer);
      wait.end();
      if (error) wait.failed = true;
      acquired(error, client, release);
    };
    const timer = setTimeout(() => end(new DatabaseTimeoutError(), undefined, DO_NOTHING), wait.leftMs);
    super.connect(end);
  }
}

/** The connection cannot be reused, because a late response could be mistaken for the next statement's response. */
export function destroyConnectionOnTimeout(
  client: pg.Client,
  answerTimeoutMs: number,
  onAnswer = DO_NOTHING,
): void {
  watchQueries(client, () => {
    const wait = getDatabaseWaitTimer();
    wait?.begin();
    const timer = setTimeout(
      () => client.connection.stream.destroy(new DatabaseTimeoutError()),
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

export type OnStatementEnd = (error: unknown) => void;

/** When the statement ends, calls the function that `begin` returned. */
export function watchQueries(
  client: pg.ClientBase,
  begin: (statement: unknown) => OnStatementEnd | undefined,
): void {
  // `query` has a dozen overloads: it takes text or an object, and returns a promise or calls a callback.
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const watched = (...args: unknown[]): unknown => {
    const end = begin(args[0]);
    if (!end) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === "function") {
      return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        end(error);
        callback(error, ...rest);
      });
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(null), end);
    else end(null);
    return result;
  };
  client.query = watched as typeof client.query;
}
