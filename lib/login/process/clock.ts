import { processSingleton } from "./process-singleton.ts";

/** Milliseconds between the process's start and the epoch, by the shared clock; null before it was read. */
const shared = processSingleton<{ originMs: number | null }>("clock", () => ({ originMs: null }));

/**
 * The server's clock decides every deadline. It follows the database's, so that processes whose own clocks disagree
 * judge a challenge alike. Between readings it runs on the monotonic clock, which nobody can set.
 */
export function now(): Date {
  const { originMs } = shared();
  return new Date(originMs === null ? Date.now() : originMs + performance.now());
}

/**
 * Sets the server's clock for this process.
 * @param epochMs what the shared clock showed when the monotonic one (`performance.now()`) showed `monotonicMs`
 */
export function setClock(epochMs: number, monotonicMs: number): void {
  shared().originMs = epochMs - monotonicMs;
}
