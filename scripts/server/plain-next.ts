import diagnostics from "node:diagnostics_channel";
import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { shutDown } from "#lib/login/process/state.ts";
import { parseEnv } from "#lib/platform/env.ts";
import { requestHandler } from "./answer-request.ts";
import { type GateSettings, gateSettings } from "./gate.ts";
import { guardServer, type Handler } from "./http-server.ts";
import { DRAIN_SECONDS, drain } from "./listen.ts";
import { prepareRuntime } from "./prepare.ts";
import { refusal } from "./refusal.ts";
import { announce, say, startOrExit } from "./tell-operator.ts";

/**
 * Sets up a process that `next start` or `next dev` has started, and puts the gate in front of the framework's own
 * server (docs/decisions/0035). `instrumentation.ts` calls it before the framework answers anything.
 */
export async function setUpPlainNext(): Promise<void> {
  await startOrExit(async () => {
    const config = parseEnv(process.env);
    process.env.NEXTAUTH_URL = config.APP_URL.origin;
    const prepared = prepareRuntime(config, say);
    const settings = gateSettings(config, process.env.NODE_ENV !== "production");
    const servers = guardEveryServer(settings, (framework) => {
      const answer = onlyAt(config.HOST, settings, requestHandler(framework));
      return async (request, response) => {
        await prepared;
        await answer(request, response);
      };
    });
    await prepared;
    // The framework exits by itself once its server has no connections left.
    const stop = () =>
      void shutDown(async () => {
        await Promise.all([...servers].map((server) => drain(server, DRAIN_SECONDS)));
      });
    process.once("SIGTERM", stop).once("SIGINT", stop);
    const { startProcess } = await import("./start-process.ts");
    await startProcess();
    announce(config);
  });
}

/**
 * Puts the gate in front of every HTTP server of this process, when its first request arrives: Node's diagnostics
 * channel announces a request before the server does.
 * @param makeHandler makes the handler behind the gate from the one that the server had
 * @returns the servers that have the gate
 */
function guardEveryServer(
  settings: GateSettings,
  makeHandler: (framework: Handler) => Handler,
): ReadonlySet<Server> {
  const guarded = new Set<Server>();
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    if (guarded.has(server)) return;
    guarded.add(server);
    const listeners = server.listeners("request");
    const framework: Handler = async (request, response) => {
      for (const listener of listeners) await listener.call(server, request, response);
    };
    guardServer(server, settings, makeHandler(framework));
  });
  return guarded;
}

/** Refuses what arrives at another address than these: the framework listens on every interface. */
function onlyAt(addresses: readonly string[], settings: GateSettings, handler: Handler): Handler {
  if (addresses.length === 0 || addresses.some((address) => ["0.0.0.0", "::"].includes(address))) {
    return handler;
  }
  const allowed = new BlockList();
  const family = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
  for (const address of addresses) allowed.addAddress(address, family(address));
  return async (request, response) => {
    const { localAddress = "" } = request.socket;
    if (allowed.check(localAddress, family(localAddress))) return handler(request, response);
    const message = "This service is for this machine alone. Set HOST to serve its other addresses.";
    const { url = "", headers } = request;
    const refused = refusal("forbidden", message, { url, accept: headers.accept }, settings);
    response.writeHead(refused.status, refused.headers).end(refused.body);
  };
}
