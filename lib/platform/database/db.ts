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
import { getTracing, traceQueries } from "../observe/tracing.ts";
import { createDirectConnectionConfig } from "./direct-connection.ts";

/**
 * With 10 connections, PostgreSQL used a third more processor time per login, because each connection's process starts
 * with cold caches (docs/performance.md).
 */
const POOL_SIZE = 6;
/** Both for opening a connection and for waiting for a free one in the pool. */
const CONNECT_TIMEOUT_MS = 3_000;
/** PostgreSQL cancels a statement before this process gives up, so that the connection can be used again. */
const STATEMENT_TIMEOUT_MS = 9_000;

/** Jobs listen on one connection and use two others, one per running job. */
const DIRECT_POOL_SIZE = 3;

/** Prisma, the rate limits and the jobs share these connections. */
export const pool = processSingleton("pool", () =>
  env().DATABASE_DIRECT_URL === env().DATABASE_URL
    ? makePool({ ...createDirectConnectionConfig(), max: POOL_SIZE })
    : makePool({ connectionString: env().DATABASE_URL, verify: setTracked, max: POOL_SIZE }),
);

/** For the jobs, because LISTEN does not work through a pooler. */
export const directPool = processSingleton("direct-pool", () =>
  env().DATABASE_DIRECT_URL === env().DATABASE_URL
    ? pool()
    : makePool({ ...createDirectConnectionConfig(), max: DIRECT_POOL_SIZE }),
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
 * A pooler restores these settings for each transaction. All others are configured for the role (docs/operations.md).
 */
function setTracked(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query(SET_SESSION_SETTINGS).then(() => done(), done);
}

function watchConnection(client: pg.ClientBase): void {
  client.on("error", reportLoss);
  if (getTracing()) traceQueries(client);
}

/** The next query replaces a connection that the server has closed. */
function reportLoss(error: Error): void {
  log().warn({ error: error.message }, "database connection lost");
}

/**
 * Queries must use `findFirst` and not `findUnique`: Prisma combines concurrent `findUnique` calls into one query, so
 * one request would wait for another.
 */
export const db = processSingleton("prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));

/** Either outside or inside a transaction. */
export type PrismaQueries = Prisma.TransactionClient;

/** For SQL functions and the login's statements (docs/architecture.md#database-access). */
export const database = processSingleton("database", () => pgDatabase(pool()));

/**
 * Runs separately or in the caller's transaction.
 * @param subject returns the changed item's name for the user, or null if nothing changed
 */
export type RunChange = <Value>(
  act: (queries: PrismaQueries) => Promise<Value>,
  subject: (changed: Value) => string | null,
) => Promise<Value>;

/** For a request with an API key. `act` is one statement, which is retried once after a deadlock. */
export const runChangeWithoutSession: RunChange = (act) =>
  act(db()).catch((error: unknown) => {
    if (!isDeadlock(error)) throw error;
    return act(db());
  });
