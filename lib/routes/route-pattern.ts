import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchApiRoute } from "./api-routes.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * NextAuth's routes are listed individually, because the provider in any other path is arbitrary text from the
 * caller.
 */
const AUTH_ROUTES = ["csrf", "session", "callback/svc", "callback/fast", "callback/hosted", "signout"].map(
  (path) => `/api/auth/${path}`,
);

/** A page or a route file below `app`. */
type ServedRoute = {
  /** The path, with `:name` for one segment. */
  pattern: string;
  regex: RegExp;
  isPage: boolean;
};

let served: ServedRoute[] | undefined;

/**
 * Returns the pages and routes that the framework serves, from its build in production and otherwise from the folder.
 */
function servedFiles(): ServedRoute[] {
  const names = () => (process.env.NODE_ENV === "production" ? namesInBuild() : namesInFolder());
  // The paths below a catch-all come from the API's table or from NextAuth.
  served ??= names()
    .filter((name) => !name.includes("[..."))
    .map(servedFile);
  return served;
}

function servedFile(name: string): ServedRoute {
  const path = name.replace(/\/(?:page|route)$/, "") || "/";
  return {
    pattern: path.replace(/\[([a-z]+)\]/g, ":$1"),
    regex: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\[[a-z]+\]/g, "[^/]+")}$`),
    isPage: name.endsWith("/page"),
  };
}

/** Returns the names in the framework's manifest, such as `/console/[mode]/page` and `/healthz/route`. */
function namesInBuild(): string[] {
  const manifest = join(ROOT, ".next", "server", "app-paths-manifest.json");
  return Object.keys(JSON.parse(readFileSync(manifest, "utf8")));
}

function namesInFolder(): string[] {
  const files = globSync("**/{page.tsx,route.ts}", { cwd: join(ROOT, "app") });
  return files.map((file) => `/${file.replaceAll("\\", "/").replace(/\.tsx?$/, "")}`);
}

function find(pathname: string): ServedRoute | undefined {
  return servedFiles().find(({ regex }) => regex.test(pathname));
}

/**
 * Returns the pattern of a path's route, for metrics and traces. The pattern is one of a few dozen and never contains
 * an identifier. Returns `other` for an unknown path.
 */
export function findRoutePattern(pathname: string): string {
  const api = matchApiRoute(pathname);
  if (api) return api.path;
  if (AUTH_ROUTES.includes(pathname)) return pathname;
  if (pathname.startsWith("/api/auth/")) return "/api/auth/*";
  if (pathname.startsWith("/_next/")) return "/_next/*";
  return find(pathname)?.pattern ?? "other";
}

/** Returns whether a path is a page for people. */
export function isPage(pathname: string): boolean {
  return find(pathname)?.isPage ?? false;
}
