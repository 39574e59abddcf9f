import { createHostedLogin, readHostedEnv } from "@svc/login/hosted";
import { ownDatabase } from "@svc/postgres";

/** The login of this site, through the hosted API. It is set up when the server starts, from the environment. */
export const login = createHostedLogin(async () => {
  const env = readHostedEnv(process.env);
  return { ...env, databaseUrl: env.databaseUrl ?? (await ownDatabase(env.dataFolder)) };
});
