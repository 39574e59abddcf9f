import { afterAll } from "vitest";
import { processState } from "#lib/login/process/state.ts";

/** Stays, since the process's one subscription to requests reads it. */
const KEPT = "client-stamp";

/**
 * Forgets what the application keeps once for its process, so that the next test file makes its own. It closes nothing:
 * a file that opens pools or timers ends them by `shutDown`.
 */
export function forgetProcess(): void {
  const state = processState();
  for (const name of Object.keys(state)) if (name !== KEPT) delete state[name];
  delete process.env.NEXTAUTH_URL;
}

afterAll(forgetProcess);
