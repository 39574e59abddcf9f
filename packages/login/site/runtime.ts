import { isDatabaseUnavailable } from "../database/database-error.ts";
import {
  currentDatabaseWait,
  DATABASE_WAIT_MS,
  DatabaseWait,
  runWithDatabaseWait,
} from "../database/database-wait.ts";
import { toRefusal } from "../http/call.ts";
import { onStopping, processSingleton, shutDown } from "../process/state.ts";
import {
  ConfigurationError,
  createCore,
  type LoginOptions,
  type LoginRuntime,
  type OnFailure,
  writeFailure,
} from "./options.ts";
import type { Plugin, Site } from "./plugin.ts";
import { createSiteUsers } from "./site-users.ts";

/** Sets up the login of a site. */
export async function createSite(options: LoginOptions, plugins: readonly Plugin[]): Promise<Site> {
  const { findOrCreateUser, onFailure = writeFailure } = options;
  const runtime = options.runtime ?? (await openRuntime(options, plugins));
  const core = createCore(options, runtime, plugins.find(({ tokens }) => tokens)?.tokens ?? null);
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
 * Runs `act` repeatedly until the process stops.
 * @param failed the message for `onFailure` if `act` fails
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
 * Ends streams first, because the framework's server waits for the last request, and a stream would keep it waiting.
 * @param options.endsProcess ends the process afterwards, as the signal would have, unless the site also handles the
 * signal
 */
export function stopWithProcess({ endsProcess = false } = {}): void {
  const stop = async (signal: NodeJS.Signals) => {
    await shutDown(async () => void (await Promise.allSettled(callsInProgress())));
    if (endsProcess && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/** Calls that the process waits for when it stops. */
const callsInProgress = processSingleton("site-calls", () => new Set<Promise<unknown>>());

/**
 * Runs a call of a site. The call waits for the database no longer than a request may, and the process waits for the
 * call before it stops.
 */
export async function runCall<Value>(act: () => Promise<Value>): Promise<Value> {
  // This call was made by another one, or by a request to the site's own server, which also waits for its requests.
  if (currentDatabaseWait()) return act();
  const call = runWithDatabaseWait(new DatabaseWait(DATABASE_WAIT_MS), act);
  callsInProgress().add(call);
  try {
    return await call;
  } finally {
    callsInProgress().delete(call);
  }
}

/**
 * Like `runCall`, for a site's own code, which gets the same refusal as clients when the database is unreachable.
 * @throws {Refusal} 503 `service_unavailable`, with the database driver's error as its cause
 */
export async function runForSite<Value>(act: () => Promise<Value>): Promise<Value> {
  if (currentDatabaseWait()) return act();
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
