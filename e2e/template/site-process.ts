import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that compiles as it is asked, on a machine that is busy with something else. */
const READY_MS = 240_000;

/** Waits until a page is there. */
export async function answers(url: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await sleep(200);
  }
}

/** Ends a process that leads a group, and all that it has started. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? 0), "SIGKILL");
  } catch {
    // It has stopped.
  }
}
