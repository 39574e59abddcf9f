import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { FAST_WEBHOOK_PATH } from "#lib/fast/protocol.ts";
import { BODY_LIMIT_BYTES } from "#lib/platform/numbers.ts";
import { clientAddress } from "#lib/platform/http/client-address.ts";
import { ERROR_STATUS, type ErrorCode } from "#lib/platform/http/error.ts";
import { errorBody } from "#lib/login/protocol/errors.ts";
import { CLIENT_ADDRESS, REQUEST_ID } from "#lib/platform/http/headers.ts";
import { type ContentKind, contentSecurityPolicy, securityHeaders } from "#lib/login/server/security-headers.ts";
import { type ApiRoute, isApiPath, isPlainTextPath, matchApiRoute } from "#lib/routes/api-routes.ts";
import { type RequestTarget, readTarget } from "./read-target.ts";

export type GateSettings = {
  /** https: cookies and transport may insist on it. */
  secure: boolean;
  trustedProxies: number;
  /** With hot reload the framework's own tools need more of the browser. */
  development: boolean;
};

const PAGE_METHODS = ["GET", "HEAD"];
/** NextAuth's endpoints are the only ones outside the API that take a body. */
const AUTH_METHODS = ["GET", "HEAD", "POST"];
/** Its credentials providers are called with a POST; to anything else it answers 500. */
const AUTH_CALLBACK_METHODS = ["POST"];

/**
 * What stands in front of the framework: it sees every request first, and answers those that the framework would
 * answer with an empty 500, HTML or nothing (contract 2). Returns true when it has answered.
 *
 * It also gives each request its id, its client's address and, for pages, the nonce of its content security
 * policy, in headers that the client cannot set.
 */
export function passGate(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
): boolean {
  identify(request, response, settings);
  const target = readTarget(request.url ?? "");
  if (!target) {
    setHeaders(request, response, settings, "api");
    // A wallet in a browser reads this answer like any other.
    if (matchApiRoute(request.url?.split("?", 1)[0] ?? "")?.cors) allowAnyOrigin(response);
    return refuse(
      request,
      response,
      "invalid_request",
      "The address is not valid: check its percent-encoding.",
    );
  }
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    setHeaders(request, response, settings, "api");
    return refuse(request, response, "invalid_request", "The Host header is missing.");
  }
  // Judged by what the path means: another spelling of an API path is below its prefix too.
  const api = isApiPath(target.decodedPathname);
  const landing = isLandingPage(request, target);
  const wallet = target.pathname === "/wallet";
  setHeaders(request, response, settings, api && !landing ? "api" : wallet ? "wallet" : "page");
  const route = matchApiRoute(target.pathname);
  if (api) {
    if (!route)
      return refuse(request, response, "not_found", "There is nothing at this address. Check the path.");
    if (route.cors && !landing) allowAnyOrigin(response);
    if (request.method === "OPTIONS") return answerOptions(response, route);
  }
  const methods = route?.methods ?? methodsOutsideApi(target.pathname, settings);
  if (methods && !methods.some((method) => method === request.method)) {
    response.setHeader("Allow", methods.join(", "));
    return refuse(request, response, "method_not_allowed", `This address answers ${methods.join(", ")}.`);
  }
  if (refuseBody(request, response, api)) return true;
  // The framework would redirect what says that it is its router.
  if (api) delete request.headers.rsc;
  // The endpoints of the API say it themselves: what is set here is not theirs to change (an event stream's).
  if (target.pathname.startsWith("/api/auth/")) response.setHeader("Cache-Control", "no-store");
  if (landing) request.url = `/open${target.search}`;
  return false;
}

/** Answers a request that never became one: bytes that are no HTTP, or headers that stall or are too large. */
export function answerClientError(code: string | undefined, settings: GateSettings): string {
  const [status, text] =
    code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ["408 Request Timeout", "The request did not arrive in time."]
      : code === "HPE_HEADER_OVERFLOW"
        ? ["431 Request Header Fields Too Large", "The headers are too large."]
        : ["400 Bad Request", "The request is not valid HTTP."];
  const body = JSON.stringify(errorBody("invalid_request", text));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": randomUUID(),
    "Cache-Control": "no-store",
    ...headersOf(settings, "api").headers,
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n");
}

function identify(request: IncomingMessage, response: ServerResponse, settings: GateSettings): void {
  const forwardedFor = String(request.headers["x-forwarded-for"] ?? "");
  for (const name of ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"]) {
    delete request.headers[name];
  }
  const requestId = randomUUID();
  request.headers[REQUEST_ID] = requestId;
  request.headers[CLIENT_ADDRESS] = clientAddress(
    request.socket.remoteAddress,
    forwardedFor,
    settings.trustedProxies,
  );
  response.setHeader("X-Request-Id", requestId);
}

/**
 * A GET of a flow A webhook is a page for people (contract 4). So is a browser's GET of flow C's, unless it carries
 * what a wallet sends: there a GET may be a delivery (specification 4.3).
 */
function isLandingPage({ method, headers }: IncomingMessage, { pathname, search }: RequestTarget): boolean {
  if (pathname === "/webhook/login" || pathname === "/webhook/register") {
    return method === "GET" || method === "HEAD";
  }
  const opened =
    method === "GET" && pathname === FAST_WEBHOOK_PATH && /text\/html/.test(headers.accept ?? "");
  return opened && !/[?&](msg|sig|addr)=/.test(search);
}

function setHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  kind: ContentKind,
): void {
  const { policy, headers } = headersOf(settings, kind);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // The framework takes the nonce for its own scripts from here.
  request.headers["content-security-policy"] = policy;
}

/** The headers of one answer; its policy has a nonce that no other answer has. */
function headersOf(settings: GateSettings, kind: ContentKind) {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy({ kind, nonce, ...settings });
  return { policy, headers: { ...securityHeaders(settings.secure), "Content-Security-Policy": policy } };
}

function methodsOutsideApi(pathname: string, { development }: GateSettings): readonly string[] | null {
  if (pathname.startsWith("/api/auth/callback/")) return AUTH_CALLBACK_METHODS;
  if (pathname.startsWith("/api/auth/")) return AUTH_METHODS;
  if (development && /^\/_(_)?next/.test(pathname)) return null;
  return PAGE_METHODS;
}

function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
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

// A body's real size is counted again where it is read; here the honest are told before they send it.
function refuseBody(request: IncomingMessage, response: ServerResponse, api: boolean): boolean {
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > BODY_LIMIT_BYTES) {
    return refuse(request, response, "payload_too_large", `A body may have up to ${BODY_LIMIT_BYTES} bytes.`);
  }
  if (!api && request.headers["transfer-encoding"] !== undefined) {
    return refuse(request, response, "invalid_request", "Send the body with a Content-Length.");
  }
  return false;
}

function refuse(request: IncomingMessage, response: ServerResponse, code: ErrorCode, message: string): true {
  const plainText = isPlainTextPath(request.url?.split("?", 1)[0] ?? "");
  response.writeHead(ERROR_STATUS[code], {
    "Content-Type": plainText ? "text/plain; charset=utf-8" : "application/json",
    "Cache-Control": "no-store",
  });
  response.end(plainText ? `Error: ${message}\n` : JSON.stringify(errorBody(code, message)));
  return true;
}
