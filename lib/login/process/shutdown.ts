import { processSingleton } from "./process-singleton.ts";

type ShutdownTask = () => void | Promise<void>;

const tasks = processSingleton("shutdown", () => ({
  stopping: new Set<ShutdownTask>(),
  stopped: new Set<ShutdownTask>(),
}));

/**
 * Runs `task` when the process starts to stop: open streams close here, so that the server can drain.
 * @returns forgets the task
 */
export function whenStopping(task: ShutdownTask): () => void {
  tasks().stopping.add(task);
  return () => void tasks().stopping.delete(task);
}

/** Runs `task` once the last request has been answered: pools close here. */
export function whenStopped(task: ShutdownTask): void {
  tasks().stopped.add(task);
}

/** Stops in order: streams, then what `drain` waits for, then pools. */
export async function shutDown(drain: () => Promise<void>): Promise<void> {
  await Promise.allSettled([...tasks().stopping].map(async (task) => task()));
  await drain();
  await Promise.allSettled([...tasks().stopped].map(async (task) => task()));
}
