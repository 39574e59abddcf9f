import { isDatabaseUnavailable } from "#lib/platform/database/database-error.ts";
import {
  DatabaseWait,
  databaseWait,
  WAIT_MS,
  withDatabaseWait,
} from "#lib/platform/database/database-wait.ts";
import { toRefusal } from "#lib/platform/http/call.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";

/** Calls that the stop of the process waits for. */
export const callsInProgress = processSingleton("site-calls", () => new Set<Promise<unknown>>());

/** Runs a call of a site: it waits for the database so long and no longer, and the stop of the process for it. */
export async function runCall<Value>(act: () => Promise<Value>): Promise<Value> {
  // Within the time of another call, or of the site's own server, which waits for its requests too.
  if (databaseWait()) return act();
  const call = withDatabaseWait(new DatabaseWait(WAIT_MS), act);
  callsInProgress().add(call);
  try {
    return await call;
  } finally {
    callsInProgress().delete(call);
  }
}

/**
 * The same for a site's own code, which then hears of a database that is away as whoever asks an endpoint does.
 * @throws {Refusal} 503 `service_unavailable`, with what the database's driver said as its cause
 */
export async function runForSite<Value>(act: () => Promise<Value>): Promise<Value> {
  if (databaseWait()) return act();
  try {
    return await runCall(act);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw Object.assign(
      toRefusal(error, () => {}),
      { cause: error },
    );
  }
}
