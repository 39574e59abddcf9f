import { consoleApi } from "#lib/console/console-api.ts";

/** Handles the console's requests: operations of the hosted API, API keys, and test logins. */
export { consoleApi as DELETE, consoleApi as GET, consoleApi as PATCH, consoleApi as POST };
