import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher.js";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex.js";
import { ROOT } from "./prepare.ts";
import { sendResponse, toWebRequest } from "./web-exchange.ts";

/**
 * The route files that every login and every call of the hosted API pass. In production, the server calls their exports
 * in the framework's build without the framework's router, which takes several times as long as the handlers do
 * (docs/decisions/0094). Such a handler must not use `next/headers`, because only the router prepares that.
 */
const WITHOUT_ROUTER =
  /^\/(?:healthz|api\/svc|api\/auth|api\/getqrcode|api\/checkfast|api\/fastauth|webhook|v1|sandbox\/v1)\/(?:.+\/)?route$/;

const BUILD = join(ROOT, ".next", "server");

type Params = Record<string, string | string[] | undefined>;
type RouteHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response> | Response;

type BuiltRoute = {
  /** The parameters of a path if it belongs to this route; otherwise false. */
  match: (pathname: string) => Params | false;
  /** The exports of the route file, keyed by method. */
  handlers: Partial<Record<string, RouteHandler>>;
};

/** The used exports of a built route file. `package.json` pins the framework's version. */
type RouteModule = { ensureUserland(): Promise<void>; userland: BuiltRoute["handlers"] };

/**
 * Handlers by path, and those whose path has parameters. Empty until they are loaded; until then the framework answers
 * everything.
 */
const literal = new Map<string, BuiltRoute>();
const patterns: BuiltRoute[] = [];

/** Loads the route files from the framework's build, each as the framework itself loads it. */
export async function loadBuiltRoutes(): Promise<void> {
  const require = createRequire(import.meta.url);
  const files: Record<string, string> = JSON.parse(
    readFileSync(join(BUILD, "app-paths-manifest.json"), "utf8"),
  );
  for (const [name, file] of Object.entries(files)) {
    if (!WITHOUT_ROUTER.test(name)) continue;
    const { routeModule }: { routeModule?: RouteModule } = require(join(BUILD, file));
    // A different version of the framework may export something else. In that case the framework's router handles this
    // route.
    if (!routeModule?.ensureUserland) continue;
    await routeModule.ensureUserland();
    const page = name.replace(/\/route$/, "");
    const route = { match: getRouteMatcher(getRouteRegex(page)), handlers: routeModule.userland };
    if (page.includes("[")) patterns.push(route);
    else literal.set(page, route);
  }
}

/** Handles a request that passed the gate with its route's handler. Returns null if the framework must handle it. */
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
