import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { parseEnv } from "#lib/platform/env.ts";
import { refuseRequest } from "#packages/login/gate/check-request-head.ts";
import { guardAllServers } from "#packages/login/gate/guard-process.ts";
import type { Handler } from "#packages/login/gate/guard-server.ts";
import type { GateSettings } from "#packages/login/gate/settings.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { createRequestHandler } from "./answer-request.ts";
import { createGateSettings, createGuard } from "./gate.ts";
import { DRAIN_SECONDS, drain } from "./listen.ts";
import { print, printUrl, startOrExit } from "./operator-output.ts";
import { prepareRuntime } from "./prepare.ts";

/**
 * For a process that `next start` or `next dev` has started (docs/decisions/0035). `instrumentation.ts` calls this
 * function before Next.js handles any request.
 */
export async function setUpPlainNext(): Promise<void> {
  await startOrExit(async () => {
    const config = parseEnv(process.env);
    process.env.NEXTAUTH_URL = config.APP_URL.origin;
    const runtime = prepareRuntime(config, print);
    const settings = createGateSettings(config, process.env.NODE_ENV !== "production");
    const servers = new Set<Server>();
    guardAllServers((server, framework) => {
      servers.add(server);
      const answer = onlyAt(config.HOST, settings, createRequestHandler(framework));
      return createGuard(server, settings, async (request, response) => {
        await runtime;
        await answer(request, response);
      });
    });
    await runtime;
    // Next.js exits when its server has no connections left.
    const stop = () =>
      void shutDown(async () => {
        await Promise.all([...servers].map((server) => drain(server, DRAIN_SECONDS)));
      });
    process.once("SIGTERM", stop).once("SIGINT", stop);
    const { startProcess } = await import("./start-process.ts");
    await startProcess();
    printUrl(config);
  });
}

/** Next.js listens on every interface. */
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
    const message = "This service is only for this machine. Set HOST to serve its other addresses.";
    refuseRequest(request, response, settings, { code: "forbidden", message });
  };
}
