import { consoleApi } from "#lib/console/console-api.ts";

export { consoleApi as DELETE, consoleApi as GET, consoleApi as PATCH, consoleApi as POST };
