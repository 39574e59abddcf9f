import { createServer, type Server } from "node:http";
import { closeUpgradedConnections, guardServer, type Handler } from "#packages/login/gate/guard-server.ts";
import type { GateSettings } from "#packages/login/gate/settings.ts";
import { markRequestsAsStamped } from "#packages/login/http/client-address.ts";
import { HEADERS_LIMIT_BYTES, URI_LIMIT_BYTES } from "#packages/login/http/numbers.ts";
import { createGuard } from "./gate.ts";

/**
 * How much of the target and headers Node.js parses: more than is accepted, so that the gate itself can refuse what is
 * beyond, and less than one read of the socket, so that Node's error still contains the target, which decides the
 * refusal's format.
 */
const PARSED_HEADERS_BYTES = HEADERS_LIMIT_BYTES + 2 * URI_LIMIT_BYTES;

/** Creates the HTTP server, with the gate in front of the framework and time limits for everything that stalls. */
export function createHttpServer(settings: GateSettings, handler: Handler): Server {
  const server = createServer({
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: PARSED_HEADERS_BYTES,
    // The gate refuses these requests with a message, and Node.js would refuse them without one.
    requireHostHeader: false,
    // Only hot reload uses another protocol. The framework also listens for upgrades in production and closes each one,
    // and some HTTP clients request h2c with every plain request.
    shouldUpgradeCallback: ({ url }) => settings.development && /^\/_next\//.test(url ?? ""),
  });
  guardServer(server, createGuard(server, settings, handler));
  markRequestsAsStamped();
  closeUpgradedConnections(server);
  return server;
}
