import { afterAll } from "vitest";
import { stopGuardingServers } from "#packages/login/gate/guard-process.ts";
import { getProcessState } from "#packages/login/process/state.ts";

/** These are not removed, because the only subscription that the process has to its requests uses them. */
const KEPT = ["client-stamp", "guarding"];

/**
 * Removes this process's application state, so that the next test file creates its own. This does not close anything: a
 * file that opens pools or timers has to call `shutDown`.
 */
export function forgetProcess(): void {
  const state = getProcessState();
  for (const name of Object.keys(state)) if (!KEPT.includes(name)) delete state[name];
  stopGuardingServers();
  delete process.env.NEXTAUTH_URL;
}

afterAll(forgetProcess);
