import { type Database, pgDatabase, type Statement } from "../database/database.ts";
import { followDatabaseClock } from "../database/database-clock.ts";
import { DATABASE_WAIT_MS, withinWait } from "../database/database-wait.ts";
import { TimeLimitedPool } from "../database/time-limited-pool.ts";
import { now, whenStopped } from "../process/state.ts";
import { assertTables, connectionTo, migrate } from "../site/migrate.ts";
import {
  ConfigurationError,
  type LoginOptions,
  type OnFailure,
  type Runtime,
  writeFailure,
} from "../site/options.ts";
import type { Plugin } from "../site/plugin.ts";
import { assertNode } from "../site/read-login-env.ts";
import { stopWithProcess } from "../site/runtime.ts";

/**
 * Runs the login in a Node.js server of any framework: tables, connections, and a clock that all processes share. Use it
 * with `ownSession()`, whose handler checks each request itself.
 */
export function nodeSite(): Plugin<"node-site"> {
  return {
    name: "node-site",
    prepare: () => assertNode(process.versions.node),
    async open(options) {
      const runtime = await openRuntime(options);
      stopWithProcess({ endsProcess: true });
      return runtime;
    },
  };
}

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL cancels a statement before this process gives up on it, so that the connection is kept. */
const STATEMENT_TIMEOUT_MS = 9_000;

const ANSWERS: Statement = {
  name: "answers",
  text: "SELECT 1 AS one",
};

/** Brings the tables up to date, and opens the connections and the clock. */
export async function openRuntime(options: LoginOptions): Promise<Runtime> {
  const { databaseUrl, onFailure = writeFailure } = options;
  if (databaseUrl !== undefined) await migrate(databaseUrl);
  const database = await openDatabase(options, onFailure);
  if (options.onStopped) whenStopped(options.onStopped);
  await followDatabaseClock({
    run: (read) => database.run<{ ms: number }>(read, []),
    warn: (message, error) => onFailure(message, error),
  });
  return {
    database,
    now,
    assertDatabaseAnswers: async () => void (await database.run(ANSWERS, [])),
  };
}

async function openDatabase(options: LoginOptions, onFailure: OnFailure): Promise<Database> {
  if (options.database) {
    const database = timeLimitedDatabase(options.database);
    await assertTables(database);
    return database;
  }
  if (options.databaseUrl !== undefined) {
    return pgDatabase(openPool(options.databaseUrl, onFailure));
  }
  throw new ConfigurationError("databaseUrl: required, unless the site passes its own database.");
}

/** A database without its own time limits. A statement is abandoned when its request has waited long enough. */
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
