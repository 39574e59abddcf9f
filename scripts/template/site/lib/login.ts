import { createLogin, readLoginEnv } from "@svc/login";
import { leaveAtExit, openEmbeddedDatabase } from "@svc/postgres";

/** The login of this site. It is set up when the server starts, from the environment (see README.md). */
export const login = createLogin(async () => {
  const env = readLoginEnv(process.env);
  return {
    ...env,
    databaseUrl: env.databaseUrl ?? (await startOwnDatabase(env.dataFolder)),
    // Called at every step of a login: log it, count it, or tell your own code.
    onStep: ({ outcome, reason }) => {
      if (outcome !== "issued") console.info(`login ${outcome}${reason ? ` (${reason})` : ""}`);
    },
  };
});

/** Without DATABASE_URL the site brings a PostgreSQL of its own, for development. */
async function startOwnDatabase(root: string): Promise<string> {
  const { url } = await openEmbeddedDatabase({ root, log: console.info });
  leaveAtExit(root);
  return url;
}
