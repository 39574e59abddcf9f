import { type Database, pgDatabase, type Statement } from "../database/database.ts";
import { followDatabaseClock } from "../database/database-clock.ts";
import { DATABASE_WAIT_MS, limitDatabaseWait } from "../database/database-wait.ts";
import { TimeLimitedPool } from "../database/time-limited-pool.ts";
import { findAddressBehindProxies } from "../http/client-address.ts";
import { now, onStopped } from "../process/state.ts";
import { answerLogin } from "../site/answer-login.ts";
import { assertTables, createConnectionConfig, migrate } from "../site/migrate.ts";
import {
  ConfigurationError,
  type LoginOptions,
  type LoginRuntime,
  type OnFailure,
  writeFailure,
} from "../site/options.ts";
import type { Plugin, Routes, Site } from "../site/plugin.ts";
import { collectRoutes } from "../site/plugin.ts";
import { assertNodeVersion } from "../site/read-login-env.ts";
import { shutDownOnSignal } from "../site/runtime.ts";

export type RequestConnection = {
  /** The IP address at the other end of the connection: the client's or, with `trustedProxies`, the nearest proxy's. */
  address?: string | undefined;
};

declare module "../site/plugin.ts" {
  interface LoginExtensions<UserId> {
    "node-site": {
      /**
       * Works in any server that has `Request` and `Response` (docs/other-frameworks.md). Refuses the request with 400
       * if neither `connection` nor the option `clientAddress` provides an IP address.
       */
      handler(request: Request, connection?: RequestConnection): Promise<Response>;
    };
  }
}

/**
 * Provides the tables, the database connections and a clock that all processes share. The handler itself makes the
 * checks that the gate makes in front of Next.js.
 */
export function nodeSite(): Plugin<"node-site"> {
  const siteRoutes = new WeakMap<Site, Routes>();
  return {
    name: "node-site",
    prepare: () => assertNodeVersion(process.versions.node),
    async open(options) {
      const runtime = await startNodeRuntime(options);
      shutDownOnSignal({ endsProcess: true });
      return runtime;
    },
    extend: ({ handler }) => ({
      handler(request: Request, connection?: RequestConnection) {
        const answer = handler((site) => {
          const routes = siteRoutes.get(site) ?? collectRoutes(site);
          siteRoutes.set(site, routes);
          return answerLogin(withKnownClient(site, request, connection), routes, request);
        });
        return answer(request);
      },
    }),
  };
}

function withKnownClient(site: Site, { headers }: Request, connection: RequestConnection | undefined): Site {
  if (connection) {
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined;
    const address = findAddressBehindProxies(connection.address, forwardedFor, site.options.trustedProxies);
    return { ...site, clientAddress: () => address ?? null };
  }
  return site.clientAddress ? site : { ...site, clientAddress: () => null };
}

const POOL_SIZE = 6;
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Shorter than this process's own time limit, so that PostgreSQL cancels the statement first and the connection can be
 * reused.
 */
const STATEMENT_TIMEOUT_MS = 9_000;

const ANSWERS: Statement = {
  name: "answers",
  text: "SELECT 1 AS one",
};

export async function startNodeRuntime(options: LoginOptions): Promise<LoginRuntime> {
  const { databaseUrl, onFailure = writeFailure } = options;
  if (databaseUrl !== undefined) await migrate(databaseUrl);
  const database = await openDatabase(options, onFailure);
  if (options.onStopped) onStopped(options.onStopped);
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

function timeLimitedDatabase(database: Database): Database {
  return { run: (statement, values) => limitDatabaseWait(() => database.run(statement, values)) };
}

function openPool(databaseUrl: string, onFailure: OnFailure): TimeLimitedPool {
  const config = {
    ...createConnectionConfig(databaseUrl),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new TimeLimitedPool(config, DATABASE_WAIT_MS);
  // If the server closes a connection, the next query opens a new one.
  const reportLoss = (error: Error) => onFailure("database connection lost", error.message);
  pool.on("error", reportLoss);
  pool.on("connect", (client) => client.on("error", reportLoss));
  onStopped(() => pool.end());
  return pool;
}
