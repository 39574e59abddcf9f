import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "#lib/login/database/database-error.ts";

const PAUSE_MS = 250;
const PATIENCE_MS = 5_000;

/**
 * Repeats a job's work, for some seconds, when the database was away for it. Jobs are fetched beside a pooler, which
 * finds a new primary up to a second later; graphile-worker itself would wait for 2.7 s before its next try.
 * @param stopping ends the tries
 * @throws what the last try failed with; any other failure at once
 */
export function patientTask<Payload>(task: (payload: Payload) => unknown, stopping: AbortSignal) {
  return async (payload: Payload): Promise<void> => {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        await task(payload);
        return;
      } catch (error) {
        if (performance.now() > until || stopping.aborted || !isDatabaseUnavailable(error)) throw error;
      }
      await sleep(PAUSE_MS);
    }
  };
}
