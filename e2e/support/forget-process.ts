import { afterAll } from "vitest";

/** Belongs to the process itself: its one subscription to requests reads it. */
const KEPT = /^svc-login\.client-stamp/;

/**
 * Forgets what the application keeps once for its process (`processSingleton`), so that the next test file makes its
 * own. It closes nothing: a file that opens pools or timers ends them by `shutDown`.
 */
export function forgetProcess(): void {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    const name = Symbol.keyFor(key);
    if (name?.startsWith("svc-login.") && !KEPT.test(name)) Reflect.deleteProperty(globalThis, key);
  }
  delete process.env.NEXTAUTH_URL;
}

afterAll(forgetProcess);
