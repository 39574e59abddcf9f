import { isDatabaseUnavailable } from "../database/database-error.ts";
import {
  DATABASE_WAIT_MS,
  DatabaseWaitTimer,
  getDatabaseWaitTimer,
  runWithDatabaseWaitTimer,
} from "../database/database-wait.ts";
import { toRefusal } from "../http/call.ts";
import { onStopping, processSingleton, shutDown } from "../process/state.ts";
import {
  ConfigurationError,
  createLoginCore,
  type LoginOptions,
  type LoginRuntime,
  type OnFailure,
  writeFailure,
} from "./options.ts";
import type { Plugin, Site } from "./plugin.ts";
import { createSiteUsers } from "./site-users.ts";

export async function createSite(options: LoginOptions, plugins: readonly Plugin[]): Promise<Site> {
  const { findOrCreateUser, onFailure = writeFailure } = options;
  const runtime = options.runtime ?? (await openRuntime(options, plugins));
  const core = createLoginCore(options, runtime, plugins.find(({ tokens }) => tokens)?.tokens ?? null);
  const site: Site = {
    core,
    runtime,
    options,
    plugins,
    findOrCreateUser,
    onFailure,
    isGuarded: options.runtime !== undefined,
    clientAddress: options.clientAddress,
    users: createSiteUsers(core, findOrCreateUser, onFailure),
    limitScale: options.limitScale ?? 1,
  };
  for (const plugin of plugins) plugin.start?.(site);
  return site;
}

/** @throws {ConfigurationError} if neither the options nor a plugin provides a runtime */
async function openRuntime(options: LoginOptions, plugins: readonly Plugin[]): Promise<LoginRuntime> {
  for (const plugin of plugins) {
    const runtime = await plugin.open?.(options);
    if (runtime) return runtime;
  }
  throw new ConfigurationError(
    "The login has no database. Add nextSite() to its plugins, or give it a runtime.",
  );
}

/**
 * Runs until the process stops.
 * @param failureMessage passed to `onFailure` if `act` fails
 */
export function runRepeatedly(
  everyMs: number,
  act: () => Promise<void>,
  onFailure: OnFailure,
  failureMessage: string,
): void {
  const timer = setInterval(() => act().catch((error) => onFailure(failureMessage, error)), everyMs);
  onStopping(() => clearInterval(timer));
}

/**
 * On SIGTERM or SIGINT. Ends streams first, because the framework's server waits until all requests have ended,
 * including streams.
 * @param options.endsProcess whether to end the process afterwards, as the signal would have done, unless the site
 * itself handles the signal
 */
export function shutDownOnSignal({ endsProcess = false } = {}): void {
  const stop = async (signal: NodeJS.Signals) => {
    await shutDown(async () => void (await Promise.allSettled(callsInProgress())));
    if (endsProcess && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

const callsInProgress = processSingleton("site-calls", () => new Set<Promise<unknown>>());

/**
 * For calls from the site. The call may wait for the database as long as a request may. The process does not stop
 * before the call has ended.
 */
export async function runCall<Value>(act: () => Promise<Value>): Promise<Value> {
  // This call was made within another call or within a request to the site's own server. The process already waits for
  // the outer call or request.
  if (getDatabaseWaitTimer()) return act();
  const call = runWithDatabaseWaitTimer(new DatabaseWaitTimer(DATABASE_WAIT_MS), act);
  callsInProgress().add(call);
  try {
    return await call;
  } finally {
    callsInProgress().delete(call);
  }
}

/**
 * The site's own code gets the same refusal as clients if the database is unreachable.
 * @throws {Refusal} 503 `service_unavailable`, whose cause is the database driver's error
 */
export async function runForSite<Value>(act: () => Promise<Value>): Promise<Value> {
  if (getDatabaseWaitTimer()) return act();
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
