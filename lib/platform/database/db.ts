import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type Prisma, PrismaClient } from "#generated/prisma/client.ts";
import { pgDatabase } from "#packages/login/database/database.ts";
import { isDeadlock } from "#packages/login/database/database-error.ts";
import { DATABASE_WAIT_MS } from "#packages/login/database/database-wait.ts";
import { SET_SESSION_SETTINGS } from "#packages/login/database/session-settings.ts";
import { TimeLimitedPool } from "#packages/login/database/time-limited-pool.ts";
import { onStopped, processSingleton } from "#packages/login/process/state.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { traceQueries, tracing } from "../observe/tracing.ts";
import { directConnectionConfig } from "./direct-connection.ts";

/**
 * With 10, PostgreSQL used a third more processor time for a login, because each of its processes starts with cold
 * caches (docs/performance.md).
 */
const POOL_SIZE = 6;
/** The time limit for opening a connection and for waiting for a free one in the pool. */
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL cancels a statement before this process abandons it, so that the connection can be used again. */
const STATEMENT_TIMEOUT_MS = 9_000;

/** Jobs listen on one connection and run two at a time. */
const DIRECT_POOL_SIZE = 3;

/** The process's connections to PostgreSQL, shared by Prisma, the rate limits and the jobs. */
export const pool = processSingleton("pool", () =>
  env().DATABASE_DIRECT_URL === env().DATABASE_URL
    ? makePool({ ...directConnectionConfig(), max: POOL_SIZE })
    : makePool({ connectionString: env().DATABASE_URL, verify: setTracked, max: POOL_SIZE }),
);

/** Direct connections to the same PostgreSQL, bypassing a pooler. Used by the jobs, which need LISTEN. */
export const directPool = processSingleton("direct-pool", () =>
  env().DATABASE_DIRECT_URL === env().DATABASE_URL
    ? pool()
    : makePool({ ...directConnectionConfig(), max: DIRECT_POOL_SIZE }),
);

const CONNECTION = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  keepAlive: true,
};

function makePool(config: pg.PoolConfig): TimeLimitedPool {
  const connections = new TimeLimitedPool({ ...CONNECTION, ...config }, DATABASE_WAIT_MS);
  connections.on("error", reportLoss);
  connections.on("connect", watchConnection);
  onStopped(() => connections.end());
  return connections;
}

/**
 * Applies the settings that a pooler restores at each transaction. The others are configured for the role
 * (docs/operations.md).
 */
function setTracked(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query(SET_SESSION_SETTINGS).then(() => done(), done);
}

function watchConnection(client: pg.ClientBase): void {
  client.on("error", reportLoss);
  if (tracing()) traceQueries(client);
}

/** The next query replaces a connection that the server has closed. */
function reportLoss(error: Error): void {
  log().warn({ error: error.message }, "database connection lost");
}

/**
 * Prisma on the process's pool. Queries use `findFirst`, not `findUnique`: Prisma combines concurrent `findUnique`
 * calls into one query, so that one request would wait for another.
 */
export const db = processSingleton("prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));

/** Prisma's queries, outside or within a transaction. */
export type Queries = Prisma.TransactionClient;

/** The process's pool for SQL functions and the login's statements (docs/architecture.md#database-access). */
export const database = processSingleton("database", () => pgDatabase(pool()));

/**
 * Runs a change to a user's data, separately or in the caller's transaction.
 * @param subject returns the name of the changed item for the user; null if nothing changed
 */
export type RunChange = <Value>(
  act: (queries: Queries) => Promise<Value>,
  subject: (changed: Value) => string | null,
) => Promise<Value>;

/** How an API key's request changes data: in one statement, which is repeated once after a deadlock. */
export const runWithoutSession: RunChange = (act) =>
  act(db()).catch((error: unknown) => {
    if (!isDeadlock(error)) throw error;
    return act(db());
  });
