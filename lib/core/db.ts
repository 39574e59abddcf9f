import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "#generated/prisma/client.ts";
import { env } from "./env.ts";
import { log } from "./log.ts";
import { traceQueries } from "./observe/trace-queries.ts";
import { tracing } from "./observe/tracing.ts";
import { processSingleton } from "./process-singleton.ts";
import { whenStopped } from "./shutdown.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Jobs listen on one connection and run two at a time. */
const DIRECT_POOL_SIZE = 3;

/** The process's connections to PostgreSQL, shared by Prisma, the rate limits and the jobs. */
export const pool = processSingleton("pool", () => makePool(env().DATABASE_URL, POOL_SIZE));

/** Connections with a session of their own, for those who listen: the same, unless a pooler stands in front of it. */
export const directPool = processSingleton("direct-pool", () =>
  env().DATABASE_DIRECT_URL === env().DATABASE_URL
    ? pool()
    : makePool(env().DATABASE_DIRECT_URL, DIRECT_POOL_SIZE),
);

function makePool(connectionString: string, max: number): pg.Pool {
  const connections = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that the server closed is replaced at the next query.
  const lost = (error: Error) => log().warn({ error: error.message }, "database connection lost");
  connections.on("error", lost);
  connections.on("connect", (client) => {
    client.on("error", lost);
    if (tracing()) traceQueries(client);
  });
  whenStopped(() => connections.end());
  return connections;
}

/** Prisma on the process's pool. Queries stand in `lib/store` only. */
export const db = processSingleton("prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));

/** A statement with a name of its own in the whole application. */
export type Prepared = { readonly name: string; readonly text: string };

/**
 * Runs a statement straight on the pool; each connection parses and plans it once. For the few that every login
 * runs: the same through Prisma costs several times the processor time.
 */
export async function runPrepared<Row extends pg.QueryResultRow>(
  { name, text }: Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await pool().query<Row>({ name, text, values: [...values] })).rows;
}

// SQLSTATE classes that say "not now" rather than "wrong": connection (08), resources (53, 57P), read-only (25006),
// and a login or a database refused (28, 3D000), which both were good when the process started.
const UNAVAILABLE_STATES = /^(08...|28...|3D000|53...|57P0[1-5]|57014|25006)$/;
const UNAVAILABLE_ERRORS =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|P1000|P1001|P1002|P1003|P1008|P1010|P1017|P2024|P2037)$/;
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|Can't reach database|not currently accepting connections|the database system is (starting up|shutting down)|Cannot use a pool after calling end/;

/** True when the database cannot serve now and may later: the answer is 503, not 500. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) =>
      UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRORS.test(code) || UNAVAILABLE_TEXT.test(message),
  );
}

/** True when a unique index refused a row: somebody else was first. */
export function isUniqueViolation(error: unknown): boolean {
  return errorChain(error).some(
    ({ code, message }) => /^(23505|P2002)$/.test(code) || /\b23505\b/.test(message),
  );
}

/** Runs a statement that creates a row for a key, and once more if another request has just created it. */
export async function againOnUniqueViolation<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return run();
  }
}

// Prisma wraps the driver's error more than once and keeps its code in different places.
function errorChain(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 20) {
    const item = queue.shift();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    const fields: Record<string, unknown> = { ...item };
    const text = item instanceof Error ? item.message : fields.message;
    for (const code of [fields.code, fields.originalCode, fields.kind]) {
      chain.push({ code: String(code ?? ""), message: String(text ?? "") });
    }
    const cause = item instanceof Error ? item.cause : undefined;
    queue.push(cause, fields.cause, fields.meta, fields.driverAdapterError, fields.originalError);
  }
  return chain;
}
