import { POLL_INTERVAL_SECONDS } from "#lib/login/protocol/numbers.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { type Database, pgDatabase, statement } from "#lib/login/store/database.ts";
import { prune } from "#lib/login/store/prune.ts";
import { now } from "#lib/platform/clock.ts";
import { followDatabaseClock } from "#lib/platform/database/database-clock.ts";
import { WAIT_MS, withDatabaseWait, withinWait } from "#lib/platform/database/database-wait.ts";
import { openLoginNotifications } from "#lib/platform/database/login-listener.ts";
import { TimeLimitedPool } from "#lib/platform/database/time-limited-pool.ts";
import { ConfigurationError } from "#lib/platform/env-values.ts";
import { stampRequests } from "#lib/platform/http/client-stamp.ts";
import { shutDown, whenStopped, whenStopping } from "#lib/platform/shutdown.ts";
import { callsInProgress } from "./calls.ts";
import { assertTables, connectionTo, migrate } from "./migrate.ts";
import type { LoginOptions, OnFailure, Runtime } from "./options.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL ends a statement by itself before it is given up here, so that the connection is kept. */
const STATEMENT_TIMEOUT_MS = 9_000;
const PRUNE_EVERY_MS = 5 * 60 * 1000;

const ANSWERS = statement({ name: "answers", select: "SELECT 1 AS one", durable: true });

/**
 * Sets up what a login works with on a site that has nothing of it: tables, connections, a clock, and what runs beside
 * requests until the process stops.
 */
export async function startRuntime(options: LoginOptions, onFailure: OnFailure): Promise<Runtime> {
  const { databaseUrl } = options;
  stampRequests(options.trustedProxies);
  if (databaseUrl !== undefined) await migrate(databaseUrl);
  const database = await openDatabase(options, onFailure);
  if (options.onStopped) whenStopped(options.onStopped);
  await followDatabaseClock({
    run: (read) => database.run<{ ms: number }>(read, []),
    warn: (message, error) => onFailure(message, error),
  });
  const clean = () =>
    prune(database, now()).catch((error) => onFailure("what has ended was not deleted", error));
  const timer = setInterval(clean, PRUNE_EVERY_MS);
  whenStopping(() => clearInterval(timer));
  stopWithProcess();
  return {
    ...{ database, now, requestDatabase: database },
    subscribe: databaseUrl === undefined ? lookEveryPoll : listenAt(databaseUrl, onFailure),
    assertDatabaseAnswers: async () => void (await database.run(ANSWERS, [])),
  };
}

async function openDatabase(options: LoginOptions, onFailure: OnFailure): Promise<Database> {
  if (options.database) {
    const database = timeLimitedDatabase(options.database);
    await assertTables(database);
    return database;
  }
  if (options.databaseUrl !== undefined) return pgDatabase(openPool(options.databaseUrl, onFailure));
  throw new ConfigurationError("databaseUrl: required, unless the site gives a database of its own.");
}

/** A database without time limits of its own: a statement is given up when its request has waited long enough. */
function timeLimitedDatabase(database: Database): Database {
  return { run: (statement, values) => withinWait(() => database.run(statement, values)) };
}

function openPool(databaseUrl: string, onFailure: OnFailure): TimeLimitedPool {
  const config = {
    ...connectionTo(databaseUrl),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new TimeLimitedPool(config, WAIT_MS);
  // A connection that the server closed is replaced at the next query.
  const lost = (error: Error) => onFailure("database connection lost", error.message);
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  whenStopped(() => pool.end());
  return pool;
}

function listenAt(databaseUrl: string, onFailure: OnFailure): LoginCore["subscribe"] {
  const notifications = openLoginNotifications(connectionTo(databaseUrl), (error) =>
    onFailure("no notices of logins, trying again", error),
  );
  // The connection is everybody's, and does not end with the time of the request that is the first to need it.
  return (sid, listener) => withDatabaseWait(undefined, () => notifications.subscribe(sid, listener));
}

/** Without a connection that listens, a stream looks as often as the page's own poll. */
const lookEveryPoll: LoginCore["subscribe"] = (sid, listener) => {
  const timer = setInterval(() => listener({ sid }), POLL_INTERVAL_SECONDS * 1000);
  return () => clearInterval(timer);
};

/** Ends streams first: the framework's server stops once the last request is answered, and they would go on. */
function stopWithProcess(): void {
  const stop = () => void shutDown(async () => void (await Promise.allSettled(callsInProgress())));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
