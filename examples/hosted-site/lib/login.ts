import { createHostedLogin, readHostedEnv } from "@svc/login/hosted";

/** This site's login, through the hosted API. Without DATABASE_URL, it starts a PostgreSQL for development. */
export const login = createHostedLogin(async () => {
  const env = readHostedEnv(process.env);
  const databaseUrl =
    env.databaseUrl ?? (await (await import("@svc/postgres")).startPostgres(env.dataFolder));
  return { ...env, databaseUrl };
});
