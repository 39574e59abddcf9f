import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import { log } from "#lib/platform/log.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";

/**
 * The number of consecutive failed fetches, over all workers, after which they are restarted: about ten seconds' worth.
 */
const FAILED_FETCHES = 10;
/** The delay between two attempts to start, so that jobs continue within a second once the database is restored. */
const RESTART_MS = 500;
/** The longest wait for workers to stop, because graphile-worker may wait forever after an outage of the database. */
const STOP_MS = 8_000;

/**
 * Keeps graphile-worker running. A worker remembers the outcome of its very first query permanently: if that query gets
 * no connection in time, as on a machine that is just starting, the worker never fetches a job again, and does not
 * report this. So this function restarts a worker that fails to fetch many times in a row, which is harmless while the
 * database is unreachable.
 * @param start starts the worker, which reports to these events
 * @returns a function that stops the worker
 */
export async function keepWorkerRunning(
  start: (events: WorkerEvents) => Promise<Runner>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let runner: Runner | null = null;
  /** The previous workers. They end on their own, and a new worker does not wait for them. */
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

/** Waits without keeping the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

const PAUSE_MS = 250;
const PATIENCE_MS = 5_000;

/**
 * Repeats a job's work for a few seconds while the database is unreachable. Jobs are fetched without the pooler, which
 * finds a new primary up to a second later, and graphile-worker itself would wait 2.7 s before its next attempt.
 * @param stopping ends the repetition
 * @throws the failure of the last attempt, or immediately any failure of a different kind
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
