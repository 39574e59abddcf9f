import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { answerCall, errorResponse, textErrorResponse } from "../http/call.ts";
import { findRequestFault, INVALID_TARGET_MESSAGE, parseRequestTarget } from "../http/check-request.ts";
import {
  CLIENT_ADDRESS_HEADER,
  REQUEST_ID_HEADER,
  readClientStamp,
  requireClient,
  serverPort,
  toClientIdentity,
  unknownClientRefusal,
} from "../http/client-address.ts";
import { parseBody } from "../http/read-body.ts";
import {
  createLimitCounters,
  type LimitCounters,
  type LimitName,
  RequestLimit,
} from "../http/request-limit.ts";
import { createCommonSecurityHeaders, createContentSecurityPolicy } from "../http/security-headers.ts";
import { refusal } from "../protocol/errors.ts";
import { isSecure } from "../server/core.ts";
import {
  assertSameOrigin,
  type RequestHeaders,
  readTruncatedHeader,
  wantsJson,
} from "../server/web-request.ts";
import type { Route, Routes, Site, SiteCall } from "./plugin.ts";

export const READ_METHODS: readonly string[] = ["GET", "HEAD"];

export function pageResponse(html: string, status = 200): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(html, { status, headers });
}

/** Also answers unknown paths and methods. */
export async function answerLogin(site: Site, routes: Routes, request: Request): Promise<Response> {
  const pathname = pathOf(request.url);
  const route = routeOf(routes, pathname);
  if (site.isGuarded && route) {
    return callRoute(site, request, {
      pathname,
      route,
      requestId: request.headers.get(REQUEST_ID_HEADER) ?? "",
    });
  }
  if (pathname === "/api/svc/qr") {
    await compileWebhooks(Object.keys(routes).filter((path) => routes[path]?.wallets));
  }
  const requestId = readRequestId(request);
  const answer = await checkRoute(site, request, { pathname, route, requestId }).catch(
    createErrorRenderer(site, requestId),
  );
  const secure = isSecure(site.core);
  const isPage = answer.headers.get("content-type")?.startsWith("text/html");
  if (isPage) return withLoginHeaders(answer, { requestId, kind: "page", secure });
  if (route?.wallets) answer.headers.set("Access-Control-Allow-Origin", "*");
  return withLoginHeaders(answer, { requestId, kind: "api", secure });
}

function routeOf(routes: Routes, pathname: string): Route | undefined {
  // On a site with a single route, the gate forwards webhook requests to a path below /api/svc.
  if (pathname.startsWith("/api/svc/webhook/")) return routes[pathname.slice("/api/svc".length)];
  if (pathname.includes(":")) return undefined;
  if (Object.hasOwn(routes, pathname)) return routes[pathname];
  const pattern = `${pathname.slice(0, pathname.lastIndexOf("/") + 1)}:id`;
  return Object.hasOwn(routes, pattern) ? routes[pattern] : undefined;
}

function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
}

/** The gate makes the same checks. */
async function checkRoute(
  site: Site,
  request: Request,
  { route, ...named }: Omit<RoutedRequest, "route"> & { route: Route | undefined },
): Promise<Response> {
  const { method, headers } = request;
  const target = request.url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  const excess = findRequestFault({ url: target, rawHeaders: [...headers.entries()].flat() });
  if (excess) throw refusal(excess.code, excess.message);
  if (!parseRequestTarget(target)) {
    throw refusal("invalid_request", INVALID_TARGET_MESSAGE);
  }
  if (!route) throw refusal("not_found", "There is nothing at this URL. Check the path.");
  if (method === "OPTIONS") return answerOptions(route);
  if (!route.methods.includes(method)) {
    const Allow = route.methods.join(", ");
    throw refusal("method_not_allowed", `This URL accepts only ${Allow}.`, { headers: { Allow } });
  }
  return callRoute(site, request, { ...named, route });
}

type RoutedRequest = { pathname: string; route: Route; requestId: string };

function callRoute(
  site: Site,
  request: Request,
  { pathname, route, requestId }: RoutedRequest,
): Promise<Response> {
  const reads = READ_METHODS.includes(request.method);
  if (reads && route.page && !(route.ask && wantsJson(readTruncatedHeader(request.headers, "accept")))) {
    return Promise.resolve(pageResponse(route.page(site, new URL(request.url).searchParams)));
  }
  const handle = (reads && route.ask) || route.handle;
  let client = "";
  return answerCall(
    {
      request,
      requestId,
      params: { id: pathname.slice(pathname.lastIndexOf("/") + 1) },
      limit() {
        client = requireClientAddress(site, request);
        return route.limit ? limitAt(site, route.limit, client) : null;
      },
      countedByHandler: route.countedByHandler ?? false,
      render: createErrorRenderer(site, requestId, route.plainText),
    },
    ({ query, limit, count, params }) =>
      handle({
        limit,
        count,
        params,
        client,
        core: site.core,
        request,
        requestId,
        query,
        body: (schema) => parseBody(request, schema),
      }),
  );
}

function answerOptions({ methods, wallets }: Route): Response {
  const response = new Response(null, {
    status: 204,
    headers: { Allow: [...methods, "OPTIONS"].join(", ") },
  });
  if (wallets) {
    response.headers.set("Access-Control-Allow-Methods", "POST");
    response.headers.set("Access-Control-Allow-Headers", "Content-Type");
    response.headers.set("Access-Control-Max-Age", "86400");
  }
  return response;
}

export function createClientLimit(site: Site, name: LimitName, request: Request): RequestLimit {
  return limitAt(site, name, requireClientAddress(site, request));
}

/** @throws {Refusal} if the client is unknown, because the request then cannot be counted */
export function requireClientAddress({ clientAddress }: Site, request: { headers: RequestHeaders }): string {
  if (!clientAddress) return requireClient(request);
  const address = clientAddress(request.headers) ?? "";
  if (!isIP(address)) throw unknownClientRefusal();
  return toClientIdentity(address);
}

function limitAt(site: Site, name: LimitName, client: string): RequestLimit {
  return createRequestLimit(site, createLimitCounters(name, client, site.limitScale));
}

export function createRequestLimit({ core }: Site, counters: LimitCounters): RequestLimit {
  return new RequestLimit(counters, core.database);
}

/** @throws {Refusal} 429 */
export async function countClientRequest(
  site: Site,
  name: LimitName,
  { client, count }: Pick<SiteCall, "client" | "count">,
): Promise<void> {
  await count(limitAt(site, name, client));
}

/** Requests are counted by client, and pages of other sites cannot use the endpoint to make changes. */
export function createAccountRoute(site: Site, handlers: Record<string, Route["handle"]>): Route {
  return {
    methods: Object.keys(handlers),
    async handle(call) {
      const { core, request } = call;
      // Check the origin before the limit, so that another site's page cannot use up a user's limit.
      if (!READ_METHODS.includes(request.method)) assertSameOrigin(request, core.origin);
      await countClientRequest(site, "account", call);
      const handle = handlers[request.method];
      if (!handle) throw new Error(`no handler for ${request.method}`);
      return handle(call);
    },
  };
}

export function readRequestId({ headers }: { headers: RequestHeaders }): string {
  const isStamped = readClientStamp(headers.get(CLIENT_ADDRESS_HEADER)) !== null;
  return (isStamped && headers.get(REQUEST_ID_HEADER)) || randomUUID();
}

/** Renders JSON or a line of text, and reports errors other than refusals to the site. */
export function createErrorRenderer(
  { onFailure }: Pick<Site, "onFailure">,
  requestId: string,
  plainText = false,
): (error: unknown) => Response {
  const render = plainText ? textErrorResponse : errorResponse;
  return (thrown) => render(thrown, (error, what) => onFailure(what, error, requestId));
}

export function withLoginHeaders(
  answer: Response,
  { requestId, kind, secure }: { requestId: string; kind: "api" | "page"; secure: boolean },
): Response {
  const policy = createContentSecurityPolicy({ kind, nonce: requestId, secure, development: false });
  const headers = {
    ...createCommonSecurityHeaders(secure),
    "Content-Security-Policy": policy,
    "X-Request-Id": requestId,
  };
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  if (!answer.headers.has("Cache-Control")) answer.headers.set("Cache-Control", "no-store");
  return answer;
}

const COMPILED_WITHIN_MS = 60_000;

let compiled: Promise<unknown> | null = null;

/**
 * `next dev` compiles a route on its first request, and a webhook's first request is a wallet's response. The code
 * would expire during the compilation, so the first code of the process waits.
 */
async function compileWebhooks(paths: readonly string[]): Promise<void> {
  const port = serverPort();
  if (process.env.NODE_ENV !== "development" || port === null) return;
  compiled ??= Promise.allSettled(
    // Does not use the request's own URL, because the client chose the host in that URL.
    paths.map((path) =>
      fetch(`http://localhost:${port}${path}`, {
        method: "HEAD",
        signal: AbortSignal.timeout(COMPILED_WITHIN_MS),
      }),
    ),
  );
  await compiled;
}
