import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { runConsoleOperation } from "#lib/console/run-console-operation.ts";

/** What the hosted API's operations change, for a signed-in user. */
const handle = consoleEndpoint(runConsoleOperation);

export { handle as DELETE, handle as PATCH, handle as POST };
