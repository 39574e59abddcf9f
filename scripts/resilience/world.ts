import { join } from "node:path";
import { sql } from "#scripts/kit/sql.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { openDatabaseServer } from "../kit/database.ts";
import type { Stage } from "./stage.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Where the scenarios' PostgreSQL keeps its data. */
export const DATA = join(ROOT, ".data", "resilience");

/** What a scenario plays in: an empty database on a PostgreSQL apart from the application's own. */
export type World = {
  databaseUrl: string;
  /**
   * Starts a process of the application; it is stopped when the scenario is over.
   * @param root another clone of the application
   */
  start(variables?: Record<string, string>, root?: string): Promise<RunningServer>;
};

/**
 * Opens the scenarios' PostgreSQL and makes an empty database in it.
 * @param folder another, for what runs so long that others are played beside it
 */
export async function openWorld(stage: Stage, folder = DATA): Promise<World> {
  const server = await openDatabaseServer(folder);
  stage.onEnd(() => server.close());
  return worldOn(stage, await server.create("resilience"));
}

/** The same on a database that is there already. */
export function worldOn(stage: Stage, databaseUrl: string): World {
  return {
    databaseUrl,
    async start(variables = {}, root = ROOT) {
      const app = await startApp({ ...variablesOf(databaseUrl), ...variables }, { root });
      stage.onEnd(() => app.stop("SIGKILL"));
      return app;
    },
  };
}

/** Behind one proxy, so that each client has an address of its own; events may go to this machine. */
function variablesOf(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: "1",
    RATE_LIMIT_SCALE: "1000",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    LOG_LEVEL: "warn",
  };
}

/** One number that a query answers. */
export async function count(databaseUrl: string, query: string, values: unknown[] = []): Promise<number> {
  const [row] = await sql<{ count: string }>(databaseUrl, query, values);
  return Number(row?.count);
}
