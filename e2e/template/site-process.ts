import type { ChildProcess } from "node:child_process";
import { until } from "#scripts/kit/waiting.ts";

/** A server that compiles as it is asked, on a machine that is busy with something else. */
const READY_MS = 240_000;

/** Waits until a page is there. */
export async function answers(url: string): Promise<void> {
  const isThere = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isThere, READY_MS);
}

/** Ends a process that leads a group, and all that it has started. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? 0), "SIGKILL");
  } catch {
    // It has stopped.
  }
}
