import { followDatabaseClock } from "../database/database-clock.ts";
import { isDatabaseUnavailable } from "../database/database-error.ts";
import {
  DATABASE_WAIT_MS,
  DatabaseWait,
  databaseWait,
  withDatabaseWait,
  withinWait,
} from "../database/database-wait.ts";
import { sendPrepared } from "../database/prepared-query.ts";
import { TimeLimitedPool } from "../database/time-limited-pool.ts";
import { guardSite } from "../gate/site-gate.ts";
import { toRefusal } from "../http/call.ts";
import { now, processSingleton, shutDown, whenStopped, whenStopping } from "../process/state.ts";
import { type Database, pgDatabase, statement } from "../store/database.ts";
import { ConfigurationError } from "./env-values.ts";
import { assertTables, connectionTo, migrate } from "./migrate.ts";
import {
  type CommonOptions,
  coreOf,
  type LoginOptions,
  type OnFailure,
  type Runtime,
  writeFailure,
} from "./options.ts";
import type { Plugin, Site } from "./plugin.ts";
import { siteUsers } from "./site-users.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL cancels a statement before this process gives up on it, so that the connection is kept. */
const STATEMENT_TIMEOUT_MS = 9_000;

const ANSWERS = statement({ name: "answers", select: "SELECT 1 AS one" });

/** Sets up the login of a site. */
export async function openSite(options: LoginOptions, plugins: readonly Plugin[]): Promise<Site> {
  const { findOrCreateUser, onFailure = writeFailure } = options;
  // NextAuth reads its own address here.
  process.env.NEXTAUTH_URL = options.origin.origin;
  const runtime = options.runtime ?? (await startRuntime(options, onFailure));
  const core = coreOf(options, runtime);
  const site: Site = {
    core,
    runtime,
    options,
    plugins,
    findOrCreateUser,
    onFailure,
    isGuarded: options.runtime !== undefined,
    clientAddress: options.clientAddress,
    users: siteUsers(core, findOrCreateUser, onFailure),
    limitScale: options.limitScale ?? 1,
  };
  for (const plugin of plugins) plugin.start?.(site);
  return site;
}

/**
 * Sets up what a login works with, on a site that brings none of it: tables, connections, a clock, and what runs
 * alongside requests until the process stops.
 */
async function startRuntime(options: CommonOptions, onFailure: OnFailure): Promise<Runtime> {
  const { databaseUrl } = options;
  guardSite(options);
  if (databaseUrl !== undefined) await migrate(databaseUrl);
  const database = await openDatabase(options, onFailure);
  if (options.onStopped) whenStopped(options.onStopped);
  await followDatabaseClock({
    run: (read) => database.run<{ ms: number }>(read, []),
    warn: (message, error) => onFailure(message, error),
  });
  stopWithProcess();
  return {
    database,
    now,
    requestDatabase: database,
    assertDatabaseAnswers: async () => void (await database.run(ANSWERS, [])),
  };
}

async function openDatabase(options: CommonOptions, onFailure: OnFailure): Promise<Database> {
  if (options.database) {
    const database = timeLimitedDatabase(options.database);
    await assertTables(database);
    return database;
  }
  if (options.databaseUrl !== undefined) {
    const pool = openPool(options.databaseUrl, onFailure);
    return pgDatabase({ query: (statement) => sendPrepared(pool, statement) });
  }
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
  const pool = new TimeLimitedPool(config, DATABASE_WAIT_MS);
  // A connection that the server closed is replaced at the next query.
  const lost = (error: Error) => onFailure("database connection lost", error.message);
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  whenStopped(() => pool.end());
  return pool;
}

/**
 * Runs `act` again and again until the process stops.
 * @param failed the message for `onFailure` when that fails
 */
export function repeat(
  everyMs: number,
  act: () => Promise<void>,
  onFailure: OnFailure,
  failed: string,
): void {
  const timer = setInterval(() => act().catch((error) => onFailure(failed, error)), everyMs);
  whenStopping(() => clearInterval(timer));
}

/** Ends streams first: the framework's server waits for the last request, and a stream would keep it waiting. */
function stopWithProcess(): void {
  const stop = () => void shutDown(async () => void (await Promise.allSettled(callsInProgress())));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/** Calls that the process waits for when it stops. */
const callsInProgress = processSingleton("site-calls", () => new Set<Promise<unknown>>());

/** Runs a call of a site. It waits for the database no longer than a request may, and the process stops after it. */
export async function runCall<Value>(act: () => Promise<Value>): Promise<Value> {
  // Part of another call, or of a request to the site's own server, which waits for its requests too.
  if (databaseWait()) return act();
  const call = withDatabaseWait(new DatabaseWait(DATABASE_WAIT_MS), act);
  callsInProgress().add(call);
  try {
    return await call;
  } finally {
    callsInProgress().delete(call);
  }
}

/**
 * As `runCall`, for a site's own code: when the database is away it gets the refusal that callers of endpoints get.
 * @throws {Refusal} 503 `service_unavailable`, with the database driver's error as its cause
 */
export async function runForSite<Value>(act: () => Promise<Value>): Promise<Value> {
  if (databaseWait()) return act();
  try {
    return await runCall(act);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw Object.assign(
      toRefusal(error, () => {}),
      { cause: error },
    );
  }
}
