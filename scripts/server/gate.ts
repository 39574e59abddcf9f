import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { Env } from "#lib/platform/env.ts";
import { selectLoginCookies } from "#lib/platform/http/select-login-cookies.ts";
import { type ApiRoute, findRefusalFormat, isApiPath, matchApiRoute } from "#lib/routes/api-routes.ts";
import {
  checkRequestHead,
  findBodyFault,
  refuseMethod,
  refuseRequest,
} from "#packages/login/gate/check-request-head.ts";
import type { Guard, Handler } from "#packages/login/gate/guard-server.ts";
import type { GateSettings } from "#packages/login/gate/settings.ts";
import type { RequestTarget } from "#packages/login/http/check-request.ts";
import { type ContentKind, createResponseSecurityHeaders } from "#packages/login/http/security-headers.ts";
import { FAST_WEBHOOK_PATH } from "#packages/login/plugins/fast/protocol.ts";
import type { ErrorCode } from "#packages/login/protocol/errors.ts";
import { USER_AGENT_LIMIT_BYTES } from "#packages/login/protocol/numbers.ts";
import { UNDO_PATH } from "#packages/login/protocol/paths.ts";
import { acceptsHtml, wantsJson } from "#packages/login/server/web-request.ts";
import { isStopping } from "./listen.ts";
import { observeRequest } from "./observe-request.ts";

export function createGateSettings(
  { APP_URL, SECURE, TRUSTED_PROXIES }: Pick<Env, "APP_URL" | "SECURE" | "TRUSTED_PROXIES">,
  development: boolean,
): GateSettings {
  return {
    origin: APP_URL,
    secure: SECURE,
    trustedProxies: TRUSTED_PROXIES,
    development,
    refusalFormatOf: findRefusalFormat,
  };
}

/** Requests that pass the gate reach `handler`. */
export function createGuard(server: Server, settings: GateSettings, handler: Handler): Guard {
  return {
    settings,
    handler,
    pass: (request, response) => passGate(request, response, settings),
    isStopping: () => isStopping(server),
    around: (begin) => observeRequest(begin, { trusted: settings.trustedProxies > 0 }),
  };
}

const PAGE_METHODS = ["GET", "HEAD"];
/** Next.js redirects requests for the prefix itself. */
const AUTH_PREFIX = "/api/auth/";
/** Outside the API, only NextAuth's endpoints accept a body. */
const AUTH_METHODS = ["GET", "HEAD", "POST"];
const FORWARDED = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"];
const ROUTER_STATE = "next-router-state-tree";
/**
 * The gate removes these headers. Without them, Next.js sends the whole file, which is also correct. With them, it can
 * return 500.
 */
const FILE_CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];
/** The maximum number of brackets in the router's state. All pages here need fewer. */
const ROUTER_STATE_BRACKETS = 256;
const NOT_FOUND_PAGE = "/_not-found";

/**
 * Checks every request before Next.js sees it. Answers requests that exceed a limit, and those that Next.js would
 * answer with an empty 500, with HTML, or not at all. Returns true if the gate has answered the request. For pages,
 * sets the nonce of the content security policy in a header that clients cannot set.
 */
export function passGate(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
): boolean {
  const target = checkRequestHead(request, response, settings);
  if (!target) return true;
  for (const name of FORWARDED) drop(request.headers, name);
  // Decides by the decoded path, because Next.js also finds API paths that are encoded differently.
  const { decodedPathname } = target;
  const api = isApiPath(decodedPathname);
  const isHtmlPage = isLandingPage(request, target) || isUndoPage(request, target);
  setHeaders(request, response, settings, isHtmlPage ? "page" : contentKind(decodedPathname, api));
  const route = matchApiRoute(target.pathname);
  const isNothing = api ? !route : decodedPathname === AUTH_PREFIX;
  if (isNothing) return refuseRequest(request, response, settings, NOT_FOUND);
  if (route?.cors && !isHtmlPage) response.setHeader("access-control-allow-origin", "*");
  if (route && request.method === "OPTIONS") return answerOptions(response, route);
  const methods = route?.methods ?? methodsOutsideApi(decodedPathname, settings);
  if (methods && !methods.some((method) => method === request.method)) {
    return refuseMethod(request, response, settings, methods);
  }
  const fault = findFault(request, api, settings);
  if (fault) return refuseRequest(request, response, settings, fault);
  // The API's endpoints set this header themselves, because event streams need another value.
  if (decodedPathname.startsWith(AUTH_PREFIX)) response.setHeader("cache-control", "no-store");
  leadInside(request, target, settings);
  return false;
}

/** A login's page is at `/open`. Next.js's reserved paths show the "not found" page. */
function leadInside(request: IncomingMessage, target: RequestTarget, settings: GateSettings): void {
  if (isLandingPage(request, target)) request.url = `/open${target.search}`;
  else if (isInternal(target.decodedPathname, settings)) request.url = NOT_FOUND_PAGE;
}

type Fault = { code: ErrorCode; message: string };

const NOT_FOUND: Fault = {
  code: "not_found",
  message: "There is nothing at this URL. Check the path.",
};

/** Also removes headers that Next.js does not need. */
function findFault(request: IncomingMessage, api: boolean, settings: GateSettings): Fault | null {
  // The body's real size is counted when it is read. Here, an honest client is refused before it sends the body.
  const large = findBodyFault(request);
  if (large) return large;
  if (!api && request.headers["transfer-encoding"] !== undefined) {
    return { code: "invalid_request", message: "Send the body with a Content-Length." };
  }
  if (reduceHeaders(request, api, settings)) return null;
  const message = "The Next-Router-State-Tree header is not valid. Load the page again.";
  return { code: "invalid_request", message };
}

/**
 * Removes headers that would only cost time in Next.js: cookies that this application does not use, the end of an
 * unusually long `User-Agent`, the router's headers where they have no effect, and conditions that a file might not
 * meet.
 * @returns false if the router's state cannot be read
 */
function reduceHeaders({ headers }: IncomingMessage, api: boolean, { origin }: GateSettings): boolean {
  if (headers.cookie !== undefined) headers.cookie = selectLoginCookies(headers.cookie, origin);
  const agent = headers["user-agent"];
  if (agent !== undefined) headers["user-agent"] = agent.slice(0, USER_AGENT_LIMIT_BYTES);
  for (const name of FILE_CONDITIONS) drop(headers, name);
  if (api) drop(headers, "rsc");
  if (headers.rsc === undefined) drop(headers, ROUTER_STATE);
  const state = headers[ROUTER_STATE];
  return state === undefined || isRouterState(String(state));
}

/**
 * If Next.js cannot read the state that its router has sent, it returns 500. Reading a large or deep state takes a long
 * time.
 */
function isRouterState(header: string): boolean {
  try {
    const brackets = decodeURIComponent(header).match(/[[{]/g) ?? [];
    return (
      brackets.length <= ROUTER_STATE_BRACKETS && parseAndValidateFlightRouterState(header) !== undefined
    );
  } catch {
    return false;
  }
}

/** Checks for the header first, because `delete` is slow even if the header is missing. */
function drop(headers: IncomingHttpHeaders, name: string): void {
  if (headers[name] !== undefined) delete headers[name];
}

/**
 * True for a GET of a login's webhook, and for a browser's GET of fast login's webhook without a wallet's parameters.
 * With these parameters, the request might be a wallet's response (docs/protocol.md#62-get-and-post-apifastauth).
 */
function isLandingPage({ method, headers }: IncomingMessage, { pathname, search }: RequestTarget): boolean {
  if (pathname === "/webhook/login" || pathname === "/webhook/register") {
    return (method === "GET" || method === "HEAD") && !wantsJson(headers.accept ?? "");
  }
  const isOpenedInBrowser =
    method === "GET" && pathname === FAST_WEBHOOK_PATH && acceptsHtml(headers.accept ?? "");
  return isOpenedInBrowser && !/[?&](msg|sig|addr)=/.test(search);
}

function isUndoPage({ method, headers }: IncomingMessage, { pathname }: RequestTarget): boolean {
  if (pathname !== UNDO_PATH) return false;
  return method === "GET" || method === "HEAD" || (method === "POST" && acceptsHtml(headers.accept ?? ""));
}

/** NextAuth's paths that never return a page. */
const AUTH_JSON = /^\/api\/auth\/(?:csrf$|session$|callback\/)/;

function contentKind(pathname: string, api: boolean): ContentKind {
  if (api || AUTH_JSON.test(pathname)) return "api";
  return pathname === "/wallet" ? "wallet" : "page";
}

function setHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  kind: ContentKind,
): void {
  const { policy, headers } = createResponseSecurityHeaders(settings, kind);
  for (const [name, value] of headers) response.setHeader(name, value);
  // Next.js reads the nonce for its own scripts from this header.
  if (kind === "api") drop(request.headers, "content-security-policy");
  else request.headers["content-security-policy"] = policy;
}

function methodsOutsideApi(pathname: string, { development }: GateSettings): readonly string[] | null {
  if (pathname.startsWith(AUTH_PREFIX)) return AUTH_METHODS;
  if (development && /^\/_(_)?next/.test(pathname)) return null;
  return PAGE_METHODS;
}

/** Next.js reserves these paths for its own pages. */
function isInternal(pathname: string, { development }: GateSettings): boolean {
  if (development && pathname.startsWith("/__next")) return false;
  return pathname.startsWith("/_") && !pathname.startsWith("/_next/");
}

function answerOptions(response: ServerResponse, route: ApiRoute): true {
  const methods = [...route.methods, "OPTIONS"].join(", ");
  response.setHeader("Allow", methods);
  if (route.cors) {
    response.setHeader("Access-Control-Allow-Methods", "POST");
    response.setHeader("Access-Control-Allow-Headers", "Content-Type");
    response.setHeader("Access-Control-Max-Age", "86400");
  }
  response.writeHead(204).end();
  return true;
}
