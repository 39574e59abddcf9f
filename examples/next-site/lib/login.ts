import { createLogin, readLoginEnv, sitePlugins } from "@svc/login";
import { databaseUrl } from "./database.ts";

/** This site's login. It is configured from the environment when the server starts (see README.md). */
export const login = createLogin({
  plugins: sitePlugins(),
  async setUp() {
    return {
      ...readLoginEnv(process.env),
      databaseUrl: await databaseUrl(),
      // Called at every step of a login. Log or count the steps, or call your own code.
      onStep: ({ outcome, reason }) => {
        if (outcome !== "issued") console.info(`login ${outcome}${reason ? ` (${reason})` : ""}`);
      },
      // Called when recovery codes are created or used. Notify the user, or investigate the event.
      onEvent: ({ kind, userId }) => console.info(`${kind} (user ${userId})`),
    };
  },
});
