import { processSingleton } from "./process-singleton.ts";

const waiting = processSingleton("turns", () => [] as (() => void)[]);

/**
 * Resolves in a turn of the event loop that nobody else gets. Work of some milliseconds asks for a turn first, so
 * that other requests run in between: a hundred such pieces at once delay a health check by a few milliseconds.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting().push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting().shift()?.();
  if (waiting().length > 0) setImmediate(next);
}
