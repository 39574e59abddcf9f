import { createLogin, pgDatabase, readLoginEnv } from "@svc/login";
import { openEmbeddedDatabase } from "@svc/postgres";
import pg from "pg";

/** The login of this site. It is set up at the first request, from the environment (see README.md). */
export const login = createLogin(async () => {
  const env = readLoginEnv(process.env);
  // Without DATABASE_URL the site starts a PostgreSQL of its own, for development.
  const databaseUrl =
    env.databaseUrl ?? (await openEmbeddedDatabase({ root: env.dataFolder, log: console.info })).url;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    query_timeout: 10_000,
    connectionTimeoutMillis: 3_000,
  });
  pool.on("error", (error) => console.warn(`database connection lost: ${error.message}`));
  return {
    ...env,
    database: pgDatabase(pool),
    listenUrl: databaseUrl,
    // Called at every step of a login: log it, count it, or tell your own code.
    onStep: ({ outcome, reason }) => {
      if (outcome !== "issued") console.info(`login ${outcome}${reason ? ` (${reason})` : ""}`);
    },
  };
});
