import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import { log } from "#lib/platform/log.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";

/**
 * The number of consecutive failed fetches, counting all workers, after which the workers are restarted. So many
 * failures take about ten seconds.
 */
const FAILED_FETCHES = 10;
/** Short, so that jobs continue within a second after an outage. */
const RESTART_MS = 500;
/** How long to wait for workers to stop: after a database outage, graphile-worker might never stop. */
const STOP_MS = 8_000;

/**
 * A worker remembers the outcome of its first query permanently. If that query gets no connection in time, for example
 * on a machine that is still starting, the worker never fetches a job and does not report this. So this function
 * restarts a worker after many failed fetches in a row. Restarting is harmless while the database is unreachable.
 * @param start starts the worker with an emitter for the worker's events
 * @returns a function that stops the worker
 */
export async function keepWorkerRunning(
  start: (events: WorkerEvents) => Promise<Runner>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let runner: Runner | null = null;
  /** A new worker does not wait for the previous ones. */
  let ending: Promise<unknown> = Promise.resolve();

  async function begin(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    let failures = 0;
    events.on("worker:getJob:empty", () => (failures = 0));
    events.on("job:start", () => (failures = 0));
    events.on("worker:getJob:error", ({ error }) => {
      failures++;
      if (failures !== FAILED_FETCHES) return;
      log().warn({ error }, "jobs cannot be fetched, starting anew");
      void restart();
    });
    runner = await start(events);
  }

  function end(): Promise<unknown> {
    const endedRunner = runner;
    runner = null;
    ending = Promise.all([ending, Promise.race([endedRunner?.stop().catch(() => {}), pause(STOP_MS)])]);
    return ending;
  }

  async function restart(): Promise<void> {
    void end();
    for (let running = false; !running && !stopped; ) {
      await pause(RESTART_MS);
      running = await begin().then(
        () => true,
        (error: unknown) => {
          log().warn({ error }, "jobs are not started yet");
          return false;
        },
      );
    }
    // The worker was stopped while it was starting.
    if (stopped) await end();
  }

  await begin();
  return async () => {
    stopped = true;
    await end();
  };
}

/** Does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

const PAUSE_MS = 250;
const PATIENCE_MS = 5_000;

/**
 * Retries a job for a few seconds while the database is unreachable. Jobs are fetched without the pooler, which can
 * find a new primary up to a second later. Without these retries, graphile-worker would wait 2.7 s before its next
 * attempt.
 * @param stopping ends the retries
 * @throws the last attempt's error; any other error immediately
 */
export function retryWhileDatabaseIsDown<Payload>(
  task: (payload: Payload) => unknown,
  stopping: AbortSignal,
) {
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
