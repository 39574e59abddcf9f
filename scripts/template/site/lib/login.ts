import { createLogin, readLoginEnv } from "@svc/login";
import { openEmbeddedDatabase } from "@svc/postgres";

/** The login of this site. It is set up at the first request, from the environment (see README.md). */
export const login = createLogin(async () => {
  const env = readLoginEnv(process.env);
  // Without DATABASE_URL the site starts a PostgreSQL of its own, for development.
  const own =
    env.databaseUrl === undefined
      ? await openEmbeddedDatabase({ root: env.dataFolder, log: console.info })
      : null;
  return {
    ...env,
    databaseUrl: env.databaseUrl ?? own?.url ?? "",
    onStopped: async () => own?.close(),
    // Called at every step of a login: log it, count it, or tell your own code.
    onStep: ({ outcome, reason }) => {
      if (outcome !== "issued") console.info(`login ${outcome}${reason ? ` (${reason})` : ""}`);
    },
  };
});
