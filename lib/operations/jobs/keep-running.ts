import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import { isDatabaseUnavailable } from "#lib/login/database/database-error.ts";
import { log } from "#lib/platform/log.ts";

/** Fetches that failed in a row, of all workers together: some ten seconds of them. */
const FAILED_FETCHES = 10;
/** Between two tries to start: once the database is back, jobs go on within a second. */
const RESTART_MS = 500;
/** After a silence of the database, graphile-worker may wait for ever for its workers to stop. */
const STOP_MS = 8_000;

/**
 * Keeps graphile-worker running. It remembers the outcome of its very first query for good: if that query gets no
 * connection in time, on a machine that is just starting, it fetches nothing ever again, and says so nowhere. So a
 * worker that fails to fetch many times in a row is restarted. While the database is away, that changes nothing.
 * @param start starts it with these events
 * @returns stops it
 */
export async function keepRunning(
  start: (events: WorkerEvents) => Promise<Runner>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let runner: Runner | null = null;
  /** Those before it: each ends in its own time, and its successor waits for none. */
  let ending: Promise<unknown> = Promise.resolve();

  async function begin(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    let failed = 0;
    events.on("worker:getJob:empty", () => (failed = 0));
    events.on("job:start", () => (failed = 0));
    events.on("worker:getJob:error", ({ error }) => {
      failed++;
      if (failed !== FAILED_FETCHES) return;
      log().warn({ error }, "jobs cannot be fetched, starting anew");
      void restart();
    });
    runner = await start(events);
  }

  function end(): Promise<unknown> {
    const ended = runner;
    runner = null;
    ending = Promise.all([ending, Promise.race([ended?.stop().catch(() => {}), pause(STOP_MS)])]);
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
    // It was stopped while it started.
    if (stopped) await end();
  }

  await begin();
  return async () => {
    stopped = true;
    await end();
  };
}

/** Keeps no process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

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
