import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher.js";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex.js";
import { ROOT } from "./prepare.ts";
import { sendResponse, toWebRequest } from "./web-exchange.ts";

/**
 * The route files of every login and of every call of the hosted API. In production, the server takes them from
 * Next.js's build and calls them directly: Next.js's router would take several times as long as the handlers
 * (docs/decisions/0094). These handlers must not use `next/headers`, which only the router prepares.
 */
const WITHOUT_ROUTER =
  /^\/(?:healthz|api\/svc|api\/auth|api\/getqrcode|api\/checkfast|api\/fastauth|webhook|v1|sandbox\/v1)\/(?:.+\/)?route$/;

const BUILD = join(ROOT, ".next", "server");

type Params = Record<string, string | string[] | undefined>;
type RouteHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response> | Response;

type BuiltRoute = {
  match: (pathname: string) => Params | false;
  handlers: Partial<Record<string, RouteHandler>>;
};

/** The parts of a built route file that are used. `package.json` pins the version of Next.js. */
type RouteModule = { ensureUserland(): Promise<void>; userland: BuiltRoute["handlers"] };

/** Until the handlers are loaded, Next.js handles all requests. */
const literal = new Map<string, BuiltRoute>();
const patterns: BuiltRoute[] = [];

/** Loads them in the same way as Next.js. */
export async function loadBuiltRoutes(): Promise<void> {
  const require = createRequire(import.meta.url);
  const files: Record<string, string> = JSON.parse(
    readFileSync(join(BUILD, "app-paths-manifest.json"), "utf8"),
  );
  for (const [name, file] of Object.entries(files)) {
    if (!WITHOUT_ROUTER.test(name)) continue;
    const { routeModule }: { routeModule?: RouteModule } = require(join(BUILD, file));
    // Another version of Next.js might export something else. Next.js's router then handles this route.
    if (!routeModule?.ensureUserland) continue;
    await routeModule.ensureUserland();
    const page = name.replace(/\/route$/, "");
    const route = { match: getRouteMatcher(getRouteRegex(page)), handlers: routeModule.userland };
    if (page.includes("[")) patterns.push(route);
    else literal.set(page, route);
  }
}

/** The request has passed the gate. Null if Next.js must handle it. */
export function answerByRoute(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
  const { method = "", url = "" } = request;
  const route = find(url.split("?", 1)[0] ?? "");
  const handle = route && (route.handlers[method] ?? (method === "HEAD" && route.handlers.GET));
  if (!handle) return null;
  const params = Promise.resolve(route.params);
  return Promise.resolve(handle(toWebRequest(request), { params })).then((answer) =>
    sendResponse(answer, response),
  );
}

function find(pathname: string): { handlers: BuiltRoute["handlers"]; params: Params } | undefined {
  const route = literal.get(pathname);
  if (route) return { handlers: route.handlers, params: {} };
  for (const { match, handlers } of patterns) {
    const params = match(pathname);
    if (params) return { handlers, params };
  }
  return undefined;
}
