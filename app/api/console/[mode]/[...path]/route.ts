import { consoleApi } from "#lib/console/console-api.ts";

/** What a signed-in user reads and changes: the hosted API's operations, keys, and logins for trying out. */
export { consoleApi as DELETE, consoleApi as GET, consoleApi as PATCH, consoleApi as POST };
