import { API_MODES } from "#lib/hosted/contract/tenant.ts";
import { API_ROUTES, matchApiRoute } from "./api-routes.ts";

/** The pages, and what else stands outside the API. A test compares the list with the route files. */
export const PAGE_ROUTES: readonly string[] = [
  "/",
  "/login",
  "/login/hosted",
  "/login/added",
  "/register",
  "/recover",
  "/fast",
  "/dashboard",
  "/dashboard/add",
  "/dashboard/add/confirm",
  "/dashboard/enter",
  "/dashboard/recovery",
  "/conformance",
  "/open",
  "/wallet",
  "/wallet/manifest.webmanifest",
  "/wallet/sw.js",
  "/docs",
  "/docs/api",
  "/docs/decisions",
  "/docs/decisions/:id",
  "/docs/guides/:id",
  "/docs/search",
  "/docs/search/results",
  "/console",
  "/console/:mode",
  "/console/:mode/domains",
  "/console/:mode/domains/:id",
  "/console/:mode/events",
  "/console/:mode/keys",
  "/console/:mode/sessions",
  "/console/:mode/sessions/:id",
  "/console/:mode/signatures",
  "/console/:mode/test-login",
  "/healthz",
  "/readyz",
  "/metrics",
];

/** NextAuth's routes, one by one: the provider in any other path is whatever a caller sent. */
const AUTH_ROUTES = ["csrf", "session", "callback/svc", "callback/fast", "callback/hosted", "signout"].map(
  (path) => `/api/auth/${path}`,
);

const CONSOLE = new RegExp(`^/console/(?:${API_MODES.join("|")})(?=/|$)`);

const literal = new Set(
  [...API_ROUTES.map(({ path }) => path), ...PAGE_ROUTES, ...AUTH_ROUTES].filter(
    (path) => !path.includes(":"),
  ),
);
const pages = new Set(PAGE_ROUTES);
/** Routes that machines read, not people. */
const FOR_MACHINES = new Set([
  "/docs/search/results",
  "/wallet/manifest.webmanifest",
  "/wallet/sw.js",
  "/healthz",
  "/readyz",
  "/metrics",
]);

/**
 * The pattern of the route that a path names, for metrics and traces: one of a few dozen, whatever is sent, and never
 * with an identifier in it; `other` if the path names no route.
 */
export function routePattern(pathname: string): string {
  if (literal.has(pathname)) return pathname;
  const api = matchApiRoute(pathname);
  if (api) return api.path;
  if (pathname.startsWith("/_next/")) return "/_next/*";
  if (pathname.startsWith("/api/auth/")) return "/api/auth/*";
  const page = pathname.replace(CONSOLE, "/console/:mode");
  if (pages.has(page)) return page;
  const detail = page.replace(/\/[^/]+$/, "/:id");
  return pages.has(detail) ? detail : "other";
}

/** True when a path names a page that people look at. */
export function isPage(pathname: string): boolean {
  const route = routePattern(pathname);
  return pages.has(route) && !FOR_MACHINES.has(route);
}
