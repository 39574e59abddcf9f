import { createServer, type Server } from "node:http";
import { closeUpgradedConnections, guardServer, type Handler } from "#packages/login/gate/guard-server.ts";
import type { GateSettings } from "#packages/login/gate/settings.ts";
import { markRequestsAsStamped } from "#packages/login/http/client-address.ts";
import { HEADERS_LIMIT_BYTES, URI_LIMIT_BYTES } from "#packages/login/http/numbers.ts";
import { createGuard } from "./gate.ts";

/**
 * The maximum size of a request's target and headers that Node.js parses. It exceeds the gate's own limits, so that the
 * gate can refuse most oversized requests itself. It is smaller than one read from the socket, so that Node.js's error
 * still contains the target, on which the format of the refusal depends.
 */
const PARSED_HEADERS_BYTES = HEADERS_LIMIT_BYTES + 2 * URI_LIMIT_BYTES;

/** Sets time limits for everything that can stall. */
export function createHttpServer(settings: GateSettings, handler: Handler): Server {
  const server = createServer({
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: PARSED_HEADERS_BYTES,
    // The gate refuses requests without a Host header with an error message. Node.js would not send one.
    requireHostHeader: false,
    // Only hot reload uses another protocol. In production, Next.js also accepts upgrades and immediately closes them,
    // and some HTTP clients request h2c with every plain request.
    shouldUpgradeCallback: ({ url }) => settings.development && /^\/_next\//.test(url ?? ""),
  });
  guardServer(server, createGuard(server, settings, handler));
  markRequestsAsStamped();
  closeUpgradedConnections(server);
  return server;
}
