import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { onStopping } from "../process/state.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { checkRequestHead, findBodyFault, refuseMethod, refuseRequest } from "./check-request-head.ts";
import { guardAllServers } from "./guard-process.ts";
import type { Guard, Handler } from "./guard-server.ts";
import { addMissingHeaders, FRAMEWORK_PATH_PATTERN } from "./missing-headers.ts";
import { isValidRouterState } from "./router-state.ts";
import type { GateSettings, RefusalFormat } from "./settings.ts";
import { withBufferedBody } from "./whole-request.ts";

export type SiteGateOptions = {
  origin: URL;
  trustedProxies: number;
  /** The gate limits the bodies sent to all other paths. */
  acceptsLargeBodies?: ((pathname: string) => boolean) | undefined;
  /**
   * True for a site without a route at `/webhook`. Wallets' requests are then forwarded to a route below `/api/svc`.
   */
  oneRoute?: boolean | undefined;
};

/** The framework would answer TRACE with 500. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Longer values are truncated, because pages do not need more. */
const HEADER_LIMIT_CHARACTERS = { "user-agent": 512, "accept-language": 256 };
const ROUTER_STATE = "next-router-state-tree";
/**
 * The headers of conditional requests, which the gate removes. If a condition did not match the file, the framework
 * would return 500. Without these headers, the framework sends the whole file, which is also correct.
 */
const FILE_CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];
/** The page that the framework shows if a layout fails. A direct request for this page would be answered with 500. */
const ERROR_PAGE = /^\/_global-error\/?$/;
const NOT_FOUND_PAGE = "/_not-found";
const TOOLS_PATH = /^\/_(?:_)?next/;
const BELOW_API = "/api/svc";
const WALLET_PATHS = new Set(["/webhook/login", "/webhook/register", UNDO_PATH]);

/**
 * Refuses invalid requests before they reach an endpoint or a page, adds a header with the client's IP address to each
 * request, and adds missing security headers to each response.
 */
export function guardSite(options: SiteGateOptions): void {
  const { acceptsLargeBodies = () => false, oneRoute = false } = options;
  const settings: GateSettings = {
    origin: options.origin,
    trustedProxies: options.trustedProxies,
    secure: options.origin.protocol === "https:",
    development: process.env.NODE_ENV === "development",
    refusalFormatOf,
  };
  let isStopping = false;
  onStopping(() => {
    isStopping = true;
  });
  guardAllServers((server: Server, framework: Handler): Guard => {
    if (!settings.development && server.listenerCount("upgrade") > 0) closeHotReload(server);
    return {
      settings,
      isStopping: () => isStopping,
      hasShortBodies: options.acceptsLargeBodies === undefined,
      pass: (request, response) =>
        passSiteGate(request, response, settings, { acceptsLargeBodies, oneRoute }),
      handler: withBufferedBody(settings, acceptsLargeBodies, framework),
    };
  });
}

/** Production does not use hot reload, but the framework leaves these connections open. */
function closeHotReload(server: Server): void {
  server.on("upgrade", ({ url = "" }: IncomingMessage, socket: Duplex) => {
    if (FRAMEWORK_PATH_PATTERN.test(url)) socket.destroy();
  });
}

function refusalFormatOf(path: string): RefusalFormat {
  if (!/^\/(?:api|webhook|\.well-known)\//.test(path)) return {};
  return { errors: "body", cors: WALLET_PATHS.has(path) };
}

function passSiteGate(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  { acceptsLargeBodies, oneRoute }: { acceptsLargeBodies: (pathname: string) => boolean; oneRoute: boolean },
): boolean {
  const target = checkRequestHead(request, response, settings);
  if (!target) return true;
  addMissingHeaders(response, target.decodedPathname, settings);
  // Hot reload and the error overlay send requests that the gate would refuse.
  if (settings.development && TOOLS_PATH.test(target.pathname)) return false;
  if (!METHODS.includes(request.method ?? "")) return refuseMethod(request, response, settings, METHODS);
  const large = acceptsLargeBodies(target.pathname) ? null : findBodyFault(request);
  if (large) return refuseRequest(request, response, settings, large);
  const state = request.headers[ROUTER_STATE];
  if (state !== undefined && !isValidRouterState(String(state))) {
    const message = "The Next-Router-State-Tree header is not valid. Load the page again.";
    return refuseRequest(request, response, settings, { code: "invalid_request", message });
  }
  reduceHeaders(request, target.pathname);
  if (ERROR_PAGE.test(target.decodedPathname)) request.url = NOT_FOUND_PAGE;
  if (oneRoute && WALLET_PATHS.has(target.pathname)) request.url = BELOW_API + request.url;
  return false;
}

function reduceHeaders({ headers }: IncomingMessage, pathname: string): void {
  for (const [name, maxCharacters] of Object.entries(HEADER_LIMIT_CHARACTERS)) {
    const value = headers[name];
    if (typeof value === "string") headers[name] = value.slice(0, maxCharacters);
  }
  if (FRAMEWORK_PATH_PATTERN.test(pathname)) for (const name of FILE_CONDITIONS) delete headers[name];
}
