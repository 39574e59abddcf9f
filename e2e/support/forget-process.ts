import { afterAll } from "vitest";
import { stopGuarding } from "#packages/login/gate/guard-process.ts";
import { processState } from "#packages/login/process/state.ts";

/** They stay, since the process's one subscription to requests reads them. */
const KEPT = ["client-stamp", "guarding"];

/**
 * Forgets what the application keeps once for its process, so that the next test file makes its own. It closes nothing:
 * a file that opens pools or timers ends them by `shutDown`.
 */
export function forgetProcess(): void {
  const state = processState();
  for (const name of Object.keys(state)) if (!KEPT.includes(name)) delete state[name];
  stopGuarding();
  delete process.env.NEXTAUTH_URL;
}

afterAll(forgetProcess);
