import diagnostics from "node:diagnostics_channel";
import type { Server } from "node:http";
import { markRequestsAsStamped } from "../http/client-address.ts";
import { onStopped, processSingleton } from "../process/state.ts";
import { closeUpgradedConnections, type Guard, guardServer, type Handler } from "./guard-server.ts";

type CreateGuard = (server: Server, framework: Handler) => Guard;

/** The process subscribes to the diagnostics channel only once, so the subscriber reads the current guard from here. */
const guarding = processSingleton("guarding", () => ({
  createGuard: null as CreateGuard | null,
  guarded: new WeakSet<Server>(),
  isSubscribed: false,
}));

/**
 * Node's diagnostics channel announces a request before the server handles it, and the gate is installed when a
 * server's first request is announced. The gate therefore also works with `next start` and `next dev`, which create
 * their own servers (docs/decisions/0035-plain-next.md).
 */
export function guardAllServers(createGuard: CreateGuard): void {
  const state = guarding();
  state.createGuard = createGuard;
  onStopped(() => {
    if (state.createGuard === createGuard) state.createGuard = null;
  });
  markRequestsAsStamped();
  if (state.isSubscribed) return;
  state.isSubscribed = true;
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    const { createGuard: current, guarded } = state;
    if (!current || guarded.has(server)) return;
    guarded.add(server);
    guardServer(server, current(server, handlerOf(server)));
    if (server.listenerCount("upgrade") > 0) closeUpgradedConnections(server);
  });
}

function handlerOf(server: Server): Handler {
  const listeners = server.listeners("request");
  return async (request, response) => {
    for (const listener of listeners) await listener.call(server, request, response);
  };
}

/** Tests call this function between files. */
export function stopGuardingServers(): void {
  guarding().createGuard = null;
}
