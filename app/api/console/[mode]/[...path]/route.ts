import { consoleApi } from "#lib/console/console-api.ts";

/** A signed-in user's reads and changes: the hosted API's operations, API keys, and test logins. */
export { consoleApi as DELETE, consoleApi as GET, consoleApi as PATCH, consoleApi as POST };
