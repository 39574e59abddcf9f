import { processSingleton } from "./process-singleton.ts";

const waiting = processSingleton("turns", () => [] as (() => void)[]);

/**
 * Resolves in a turn of the event loop that is nobody else's. What may take some milliseconds asks first, so that
 * between two such things everything else goes on: a hundred of them at once delay a health check by a few.
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
