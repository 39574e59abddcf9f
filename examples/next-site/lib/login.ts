import { createLogin, readLoginEnv, sitePlugins } from "@svc/login";
import { databaseUrl } from "./database.ts";

/** The login of this site. It is set up when the server starts, from the environment (see README.md). */
export const login = createLogin({
  plugins: sitePlugins(),
  async setUp() {
    return {
      ...readLoginEnv(process.env),
      databaseUrl: await databaseUrl(),
      // Called at every step of a login: log it, count it, or call your own code.
      onStep: ({ outcome, reason }) => {
        if (outcome !== "issued") console.info(`login ${outcome}${reason ? ` (${reason})` : ""}`);
      },
      // Called when recovery codes are created or used: write to your user, or look into it yourself.
      onEvent: ({ kind, userId }) => console.info(`${kind} (user ${userId})`),
    };
  },
});
