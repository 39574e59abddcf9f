import { afterAll } from "vitest";
import { stopGuardingServers } from "#packages/login/gate/guard-process.ts";
import { getProcessState } from "#packages/login/process/state.ts";

/** Not removed, because the process's only subscription to its requests uses these names. */
const KEPT = ["client-stamp", "guarding"];

/**
 * Removes the application state of this process, so that the next test file creates its own. This does not close
 * anything, so a test file that opens pools or timers has to call `shutDown`.
 */
export function forgetProcess(): void {
  const state = getProcessState();
  for (const name of Object.keys(state)) if (!KEPT.includes(name)) delete state[name];
  stopGuardingServers();
  delete process.env.NEXTAUTH_URL;
}

afterAll(forgetProcess);
