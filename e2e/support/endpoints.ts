import { globSync } from "node:fs";
import { join } from "node:path";
import { API_ROUTES, isApiPath } from "#lib/routes/api-routes.ts";

/**
 * From the application's own files and tables, so tests of all paths include new ones. Parameters have values that do
 * not exist.
 */
export type Endpoint = { method: string; path: string };

const ROOT = join(import.meta.dirname, "..", "..");
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

const AUTH_ACTIONS = ["csrf", "session", "providers", "signin", "signout", "error", "verify-request", "_log"];
const AUTH_PROVIDERS = ["svc", "fast", "hosted"];

export const PAGES: readonly Endpoint[] = files("page.tsx").map((path) => ({ method: "GET", path }));

export const API_ENDPOINTS: readonly Endpoint[] = API_ROUTES.flatMap(({ path, methods }) =>
  methods.map((method) => ({ method, path: fill(path) })),
);

/** NextAuth's endpoints, health checks, and the wallet's files. */
export const OTHER_HANDLERS: readonly Endpoint[] = files("route.ts")
  .filter((path) => !isApiPath(path))
  .flatMap((path) => (path.startsWith("/api/auth/") ? authAddresses() : [{ method: "GET", path }]));

/** Also one of the framework's files. */
const STATIC_FILES: readonly Endpoint[] = [
  ...globSync("*", { cwd: join(ROOT, "public") }).map((name) => `/${name}`),
  ...globSync("**/*.js", { cwd: join(ROOT, ".next", "static") })
    .slice(0, 1)
    .map((name) => `/_next/static/${name.replaceAll("\\", "/")}`),
].map((path) => ({ method: "GET", path }));

export const ALL_ENDPOINTS: readonly Endpoint[] = [
  ...PAGES,
  ...API_ENDPOINTS,
  ...OTHER_HANDLERS,
  ...STATIC_FILES,
];

function files(name: string): string[] {
  return globSync(`**/${name}`, { cwd: join(ROOT, "app") })
    .map((file) => `/${file.replaceAll("\\", "/").replace(new RegExp(`/?${name}$`), "")}`)
    .map(fill)
    .toSorted();
}

function fill(path: string): string {
  return path.replace("[mode]", "test").replace(/\[[a-z_]+\]|:[a-z_]+/g, UNKNOWN_ID);
}

function authAddresses(): Endpoint[] {
  const actions = [...AUTH_ACTIONS, ...AUTH_PROVIDERS.flatMap((id) => [`signin/${id}`, `callback/${id}`])];
  return actions.flatMap((action) =>
    ["GET", "HEAD", "POST"].map((method) => ({ method, path: `/api/auth/${action}` })),
  );
}
