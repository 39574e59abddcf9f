import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { readBytes } from "../http/read-body.ts";
import { answerHeaders } from "../http/security-headers.ts";
import { whenStopping } from "../process/state.ts";
import { Refusal } from "../protocol/errors.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { checkMessage, findLargeBody, refuse, refuseMethod } from "./check-message.ts";
import { guardEveryServer } from "./guard-process.ts";
import type { Guard, Handler } from "./guard-server.ts";
import type { GateSettings, PathForm } from "./settings.ts";

export type SiteGateOptions = {
  origin: URL;
  trustedProxies: number;
  /** Whether the site itself limits the bodies that are sent to a path; elsewhere the gate does. */
  acceptsLargeBodies?: ((pathname: string) => boolean) | undefined;
};

/** Those that the framework passes to a route. It answers 500 to TRACE. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** The framework reads no more of these headers, and pages should not. */
const KEPT_CHARACTERS = { "user-agent": 512, "accept-language": 256 };
const ROUTER_STATE = "next-router-state-tree";
/** More brackets than the router's state has on any page. */
const ROUTER_STATE_BRACKETS = 1_024;
/** The framework's own files and pages; in development also its tools. */
const FRAMEWORK_PATH = /^\/(?:_next\/|favicon\.ico$)/;
const TOOLS_PATH = /^\/_(?:_)?next/;
const WALLET_PATHS = new Set(["/webhook/login", "/webhook/register", UNDO_PATH]);

/**
 * Puts the gate in front of every HTTP server of a site's process. It refuses what no endpoint and no page should see,
 * stamps the client's address, and adds the security headers that an answer lacks.
 */
export function guardSite(options: SiteGateOptions): void {
  const { acceptsLargeBodies = () => false } = options;
  const settings: GateSettings = {
    origin: options.origin,
    trustedProxies: options.trustedProxies,
    secure: options.origin.protocol === "https:",
    development: process.env.NODE_ENV === "development",
    formOf,
  };
  let isStopping = false;
  whenStopping(() => {
    isStopping = true;
  });
  guardEveryServer((server: Server, framework: Handler): Guard => {
    if (!settings.development && server.listenerCount("upgrade") > 0) hangUpHotReload(server);
    return {
      settings,
      isStopping: () => isStopping,
      hasShortBodies: options.acceptsLargeBodies === undefined,
      pass: (request, response) => passSiteGate(request, response, settings, acceptsLargeBodies),
      handler: readingChunks(settings, acceptsLargeBodies, framework),
    };
  });
}

/** The framework leaves an upgrade to hot reload open, though nothing speaks it in production. */
function hangUpHotReload(server: Server): void {
  server.on("upgrade", ({ url = "" }: IncomingMessage, socket: Duplex) => {
    if (FRAMEWORK_PATH.test(url)) socket.destroy();
  });
}

function formOf(path: string): PathForm {
  if (!/^\/(?:api|webhook|\.well-known)\//.test(path)) return {};
  return { errors: "body", cors: WALLET_PATHS.has(path) };
}

type AcceptsLargeBodies = NonNullable<SiteGateOptions["acceptsLargeBodies"]>;

function passSiteGate(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  acceptsLargeBodies: AcceptsLargeBodies,
): boolean {
  const target = checkMessage(request, response, settings);
  if (!target) return true;
  addMissingHeaders(response, target.decodedPathname, settings);
  // Hot reload and the error overlay ask in ways of their own.
  if (settings.development && TOOLS_PATH.test(target.pathname)) return false;
  if (!METHODS.includes(request.method ?? "")) return refuseMethod(request, response, settings, METHODS);
  const large = acceptsLargeBodies(target.pathname) ? null : findLargeBody(request);
  if (large) return refuse(request, response, settings, large);
  for (const [name, kept] of Object.entries(KEPT_CHARACTERS)) {
    const value = request.headers[name];
    if (typeof value === "string") request.headers[name] = value.slice(0, kept);
  }
  const state = request.headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(String(state))) {
    const message = "The Next-Router-State-Tree header is not valid. Load the page again.";
    return refuse(request, response, settings, { code: "invalid_request", message });
  }
  return false;
}

/** Whether the framework can read the state that its router sent, in a short time; otherwise it answers 500. */
function isRouterState(header: string): boolean {
  try {
    const text = decodeURIComponent(header);
    const brackets = text.match(/[[{]/g) ?? [];
    return brackets.length <= ROUTER_STATE_BRACKETS && Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Adds the security headers that an answer lacks, when it is about to be sent: those of the site and of the login's own
 * answers win. Errors of the framework get all of them.
 */
function addMissingHeaders(response: ServerResponse, pathname: string, settings: GateSettings): void {
  const { writeHead } = response;
  response.writeHead = ((...sent: Parameters<typeof writeHead>) => {
    const given = headersIn(sent.at(-1));
    const has = (name: string) => given.has(name) || response.hasHeader(name);
    const type = given.get("content-type") ?? response.getHeader("content-type");
    const isHtml = String(type).startsWith("text/html");
    const isError = Number(sent[0]) >= 400 && FRAMEWORK_PATH.test(pathname);
    const missing = isError
      ? answerHeaders(settings, isHtml ? "page" : "api").headers
      : ANY_ANSWER.filter(([name]) => name !== "x-frame-options" || !has("content-security-policy"));
    for (const [name, value] of missing) if (!has(name)) response.setHeader(name, value);
    return writeHead.apply(response, sent);
  }) as typeof writeHead;
}

/** The last argument of `writeHead`, if that is headers, by lower-case names. */
function headersIn(sent: unknown): Map<string, unknown> {
  if (typeof sent !== "object" || sent === null) return new Map();
  const flat = Array.isArray(sent) ? sent.flat() : Object.entries(sent).flat();
  return new Map(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name).toLowerCase(), flat[at + 1]]] : [])),
  );
}

/** They break no page of a site that has none: neither its scripts nor what it asks of the browser. */
const ANY_ANSWER: readonly (readonly [name: string, value: string])[] = [
  ["x-frame-options", "DENY"],
  ["content-security-policy", "object-src 'none'; base-uri 'self'; frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
];

/**
 * Reads a body of unknown length before the framework sees the request: that would buffer up to 10 MB of it. The
 * framework then gets it whole.
 */
function readingChunks(
  settings: GateSettings,
  acceptsLargeBodies: AcceptsLargeBodies,
  framework: Handler,
): Handler {
  return async (request, response) => {
    const { url = "", headers } = request;
    const pathname = url.split("?", 1)[0] ?? "";
    if (headers["transfer-encoding"] === undefined || acceptsLargeBodies(pathname)) {
      return framework(request, response);
    }
    let body: Uint8Array;
    try {
      body = await readBytes({ body: request.iterator({ destroyOnReturn: false }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(request, response, settings, error);
      return;
    }
    await framework(new WholeRequest(request, body), response);
  };
}

/** A request whose body has been read. */
class WholeRequest extends IncomingMessage {
  constructor(read: IncomingMessage, body: Uint8Array) {
    super(read.socket);
    const {
      method,
      url,
      httpVersion,
      httpVersionMajor,
      httpVersionMinor,
      rawHeaders,
      trailers,
      rawTrailers,
    } = read;
    Object.assign(this, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders });
    Object.assign(this, { trailers, rawTrailers, complete: true });
    this.headers = { ...read.headers, "content-length": String(body.byteLength) };
    delete this.headers["transfer-encoding"];
    this.push(body);
    this.push(null);
  }

  /** The connection stays: nothing of this request is left on it. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
  }
}
