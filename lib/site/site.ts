import { POLL_INTERVAL_SECONDS } from "#lib/login/protocol/numbers.ts";
import { ADDED_KEY_PAGES } from "#lib/login/protocol/paths.ts";
import type { LoginCore, LoginStep } from "#lib/login/server/core.ts";
import { type Database, pgDatabase } from "#lib/login/store/database.ts";
import { prune } from "#lib/login/store/prune.ts";
import { now } from "#lib/platform/clock.ts";
import { followDatabaseClock } from "#lib/platform/database/database-clock.ts";
import { isDatabaseUnavailable } from "#lib/platform/database/database-error.ts";
import { DatabaseWait, WAIT_MS, withDatabaseWait, withinWait } from "#lib/platform/database/database-wait.ts";
import { openLoginNotifications } from "#lib/platform/database/login-listener.ts";
import { TimeLimitedPool } from "#lib/platform/database/time-limited-pool.ts";
import { ConfigurationError } from "#lib/platform/env-values.ts";
import { toRefusal } from "#lib/platform/http/call.ts";
import { stampRequests } from "#lib/platform/http/client-stamp.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { shutDown, whenStopped, whenStopping } from "#lib/platform/shutdown.ts";
import type { RecoveryEvent } from "#lib/recovery/events.ts";
import { assertTables, connectionTo, migrate } from "./migrate.ts";
import type { LoginEnv } from "./read-login-env.ts";
import { type FindOrCreateUser, type SiteUsers, siteUsers } from "./site-users.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL ends a statement by itself before it is given up here, so that the connection is kept. */
const STATEMENT_TIMEOUT_MS = 9_000;
const PRUNE_EVERY_MS = 5 * 60 * 1000;

/** Where the login keeps its tables, in a schema of their own: `svc_login`. */
type Storage =
  | {
      /** A PostgreSQL. The login brings its tables up to date there, and listens for notifications. */
      databaseUrl: string;
      /** Runs the login's statements on connections of the site's, instead of a pool of the login's own. */
      database?: Database | undefined;
    }
  | {
      databaseUrl?: undefined;
      /** Without a URL the tables have to be there (`migrate`), and event streams hear of changes every 5 s. */
      database: Database;
    };

export type LoginOptions = Omit<LoginEnv, "databaseUrl" | "dataFolder" | "recoveryDelayHours"> &
  Storage & {
    /** How long a recovery waits before it takes effect; 0 by default. */
    recoveryDelayHours?: number;
    /** Is told what became of recovery codes and recoveries, once it has happened. */
    onEvent?: (event: SiteEvent) => void | Promise<void>;
    /** Where a browser goes once it is signed in, if its page does not say: a path, `/dashboard` by default. */
    afterLogin?: string;
    /** For a site with users of its own: `userId` is then what this returns, everywhere. */
    findOrCreateUser?: FindOrCreateUser | undefined;
    /** Is told of every step of a login; must not throw. */
    onStep?: (step: LoginStep) => void;
    /** Is told what failed; written to stderr by default. */
    onFailure?: (message: string, error: unknown) => void;
    /** Runs when the process stops, once the login's own connections are closed. */
    onStopped?: () => Promise<void>;
  };

/** An event as a site hears of it: with the id by which it knows the user. */
export type SiteEvent = { kind: RecoveryEvent["kind"]; userId: number | string };

/** A login that is set up. */
export type Site = {
  core: LoginCore;
  users: SiteUsers;
  findOrCreateUser: FindOrCreateUser | undefined;
  recoveryDelayHours: number;
  onEvent: (event: SiteEvent) => void | Promise<void>;
  onFailure: (message: string, error: unknown) => void;
};

const inProgress = processSingleton("site-calls", () => new Set<Promise<unknown>>());

/** Runs a call of a site: it waits for the database so long and no longer, and the stop of the process for it. */
export async function runCall<Value>(act: () => Promise<Value>): Promise<Value> {
  const call = withDatabaseWait(new DatabaseWait(WAIT_MS), act);
  inProgress().add(call);
  try {
    return await call;
  } finally {
    inProgress().delete(call);
  }
}

/**
 * The same for a site's own code, which then hears of a database that is away as whoever asks an endpoint does.
 * @throws {Refusal} 503 `service_unavailable`, with what the database's driver said as its cause
 */
export async function runForSite<Value>(act: () => Promise<Value>): Promise<Value> {
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

/** Sets up the login of a site: tables, connections, clock, and what runs beside requests. */
export async function openSite(options: LoginOptions): Promise<Site> {
  const { origin, databaseUrl, onFailure = writeFailure } = options;
  stampRequests(options.trustedProxies);
  // NextAuth reads its own address here.
  process.env.NEXTAUTH_URL = origin.origin;
  if (databaseUrl !== undefined) await migrate(databaseUrl);
  const database = await openDatabase(options, onFailure);
  if (options.onStopped) whenStopped(options.onStopped);
  await followDatabaseClock({
    run: (read) => database.run<{ ms: number }>(read, []),
    warn: (message, error) => onFailure(message, error),
  });
  const core: LoginCore = {
    origin,
    qrFormat: options.qrFormat,
    secrets: options.secrets,
    afterLogin: options.afterLogin ?? "/dashboard",
    addedKeyPage: ADDED_KEY_PAGES.plain,
    database,
    now,
    onStep: options.onStep ?? (() => {}),
    subscribe: databaseUrl === undefined ? lookEveryPoll : listenAt(databaseUrl, onFailure),
  };
  const clean = () =>
    prune(core.database, now()).catch((error) => onFailure("what has ended was not deleted", error));
  const timer = setInterval(clean, PRUNE_EVERY_MS);
  whenStopping(() => clearInterval(timer));
  stopWithProcess();
  return {
    core,
    users: siteUsers(core, options.findOrCreateUser, onFailure),
    findOrCreateUser: options.findOrCreateUser,
    recoveryDelayHours: options.recoveryDelayHours ?? 0,
    onEvent: options.onEvent ?? (() => {}),
    onFailure,
  };
}

async function openDatabase(storage: Storage, onFailure: Site["onFailure"]): Promise<Database> {
  if (storage.database) {
    const database = timeLimitedDatabase(storage.database);
    await assertTables(database);
    return database;
  }
  if (storage.databaseUrl !== undefined) return pgDatabase(openPool(storage.databaseUrl, onFailure));
  throw new ConfigurationError("databaseUrl: required, unless the site gives a database of its own.");
}

/** A database without time limits of its own: a statement is given up when its request has waited long enough. */
function timeLimitedDatabase(database: Database): Database {
  return { run: (statement, values) => withinWait(() => database.run(statement, values)) };
}

/** Writes to stderr what failed. */
export function writeFailure(message: string, error: unknown): void {
  process.stderr.write(`${message}: ${error instanceof Error ? error.stack : String(error)}\n`);
}

function openPool(databaseUrl: string, onFailure: Site["onFailure"]): TimeLimitedPool {
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

function listenAt(databaseUrl: string, onFailure: Site["onFailure"]): LoginCore["subscribe"] {
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
  const stop = () => void shutDown(async () => void (await Promise.allSettled(inProgress())));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
