import diagnostics from "node:diagnostics_channel";
import type { Server } from "node:http";
import { noteGuarded } from "../http/client-address.ts";
import { processSingleton, whenStopped } from "../process/state.ts";
import { endUpgradedWithProcess, type Guard, guardServer, type Handler } from "./guard-server.ts";

/** Makes the guard of a server from the handler that the server had. */
type GuardOf = (server: Server, framework: Handler) => Guard;

/** The process subscribes once. Its current handlers are read from here. */
const guarding = processSingleton("guarding", () => ({
  guardOf: null as GuardOf | null,
  guarded: new WeakSet<Server>(),
  isSubscribed: false,
}));

/**
 * Puts a gate in front of every HTTP server of this process, when the server's next request arrives: Node's diagnostics
 * channel announces a request before the server does. So `next start` and `next dev`, which create their server
 * themselves, need no other command (docs/decisions/0035-plain-next.md).
 */
export function guardEveryServer(guardOf: GuardOf): void {
  const state = guarding();
  state.guardOf = guardOf;
  whenStopped(() => {
    if (state.guardOf === guardOf) state.guardOf = null;
  });
  noteGuarded();
  if (state.isSubscribed) return;
  state.isSubscribed = true;
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    const { guardOf: current, guarded } = state;
    if (!current || guarded.has(server)) return;
    guarded.add(server);
    guardServer(server, current(server, handlerOf(server)));
    if (server.listenerCount("upgrade") > 0) endUpgradedWithProcess(server);
  });
}

/** Calls the handlers that a server has now. */
function handlerOf(server: Server): Handler {
  const listeners = server.listeners("request");
  return async (request, response) => {
    for (const listener of listeners) await listener.call(server, request, response);
  };
}

/** Takes the gate off servers that have not had a request yet. Tests do that between files. */
export function guardNoMore(): void {
  guarding().guardOf = null;
}
