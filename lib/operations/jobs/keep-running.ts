import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import { log } from "#lib/platform/log.ts";

/** Fetches that failed in a row, of all workers together: some ten seconds of them. */
const FAILED_FETCHES = 10;
const RESTART_MS = 2_000;

/**
 * Keeps graphile-worker running. It remembers the outcome of its very first query for good: should that fail, for
 * want of a connection in time on a machine that is just starting, it would fetch nothing ever again and say so
 * nowhere. So who fetches nothing many times in a row is started anew; while the database is away that changes
 * nothing.
 * @param start starts it with these events
 * @returns stops it
 */
export async function keepRunning(
  start: (events: WorkerEvents) => Promise<Runner>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let runner: Runner | null = null;

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

  async function end(): Promise<void> {
    await runner?.stop().catch(() => {});
    runner = null;
  }

  async function restart(): Promise<void> {
    await end();
    for (let running = false; !running && !stopped; ) {
      await sleep(RESTART_MS, undefined, { ref: false });
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
