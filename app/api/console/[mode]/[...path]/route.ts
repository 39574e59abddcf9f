import { consoleApi } from "#lib/console/console-api.ts";

/** What a signed-in user changes: the hosted API's operations, and keys. */
export { consoleApi as DELETE, consoleApi as PATCH, consoleApi as POST };
