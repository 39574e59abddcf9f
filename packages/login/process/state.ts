/**
 * One object on `globalThis`, because the framework bundles routes and pages separately, and Node.js loads the server
 * and the jobs. A module is therefore loaded several times, and each copy has its own variables
 * (docs/decisions/0094-one-road.md).
 */
const STATE = Symbol.for("svc-login");

/** Tests reset this state between files. */
export function getProcessState(): Record<string, unknown> {
  const holder = globalThis as typeof globalThis & { [STATE]?: Record<string, unknown> };
  holder[STATE] ??= Object.create(null) as Record<string, unknown>;
  return holder[STATE];
}

/** The value is created on first use. */
export function processSingleton<Value>(name: string, make: () => Value): () => Value {
  return () => {
    const state = getProcessState();
    state[name] ??= make();
    return state[name] as Value;
  };
}

/**
 * When this process started, in milliseconds since the epoch, according to the shared clock. Null before that clock has
 * been read.
 */
const shared = processSingleton<{ originMs: number | null }>("clock", () => ({ originMs: null }));

/**
 * This time decides whether a deadline has passed. It follows the database's clock, so that processes on machines with
 * different clocks agree about a challenge. Between readings, it follows the monotonic clock, which cannot be set.
 */
export function now(): Date {
  const { originMs } = shared();
  return new Date(originMs === null ? Date.now() : originMs + performance.now());
}

/** @param epochMs the shared clock's time when `performance.now()` was `monotonicMs` */
export function adjustClock(epochMs: number, monotonicMs: number): void {
  shared().originMs = epochMs - monotonicMs;
}

type ShutdownTask = () => void | Promise<void>;

const tasks = processSingleton("shutdown", () => ({
  stopping: new Set<ShutdownTask>(),
  stopped: new Set<ShutdownTask>(),
}));

/**
 * Close open streams here, so that the server can drain.
 * @returns a function that removes the task
 */
export function onStopping(task: ShutdownTask): () => void {
  tasks().stopping.add(task);
  return () => void tasks().stopping.delete(task);
}

/** Runs after the last request has been answered. Close connection pools here. */
export function onStopped(task: ShutdownTask): void {
  tasks().stopped.add(task);
}

/** Closes streams, waits for `drain`, then closes connection pools. */
export async function shutDown(drain: () => Promise<void>): Promise<void> {
  await Promise.allSettled([...tasks().stopping].map(async (task) => task()));
  await drain();
  await Promise.allSettled([...tasks().stopped].map(async (task) => task()));
}

const waiting = processSingleton("turns", () => [] as (() => void)[]);

/**
 * Resolves in a separate turn of the event loop for each caller. Call this function before work that takes a few
 * milliseconds, so that other requests can run in between. Even a hundred callers then delay a health check by only a
 * few milliseconds.
 */
export function waitForEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting().push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting().shift()?.();
  if (waiting().length > 0) setImmediate(next);
}
