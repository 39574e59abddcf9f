import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchApiRoute } from "./api-routes.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Lists NextAuth's routes individually, because in any other path the provider is arbitrary text from the caller. */
const AUTH_ROUTES = ["csrf", "session", "callback/svc", "callback/fast", "callback/hosted", "signout"].map(
  (path) => `/api/auth/${path}`,
);

type ServedRoute = {
  /** `:name` stands for one segment. */
  pattern: string;
  regex: RegExp;
  isPage: boolean;
};

let served: ServedRoute[] | undefined;

/** Reads Next.js's build in production, otherwise the folder `app`. */
function servedFiles(): ServedRoute[] {
  const names = () => (process.env.NODE_ENV === "production" ? namesInBuild() : namesInFolder());
  // The paths of catch-all routes come from the API's table or from NextAuth.
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

/** For example `/console/[mode]/page` and `/healthz/route`. */
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
 * For metrics and traces; `other` for an unknown path. There are a few dozen patterns, and none contains an identifier.
 */
export function findRoutePattern(pathname: string): string {
  const api = matchApiRoute(pathname);
  if (api) return api.path;
  if (AUTH_ROUTES.includes(pathname)) return pathname;
  if (pathname.startsWith("/api/auth/")) return "/api/auth/*";
  if (pathname.startsWith("/_next/")) return "/_next/*";
  return find(pathname)?.pattern ?? "other";
}

export function isPagePath(pathname: string): boolean {
  return find(pathname)?.isPage ?? false;
}
