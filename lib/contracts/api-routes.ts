import type { Method } from "./api-method.ts";
import { FAST_WEBHOOK_PATH } from "./fast.ts";
import { OPENAPI_PATH, OPERATIONS } from "./hosted/operations.ts";
import { API_MODES, BASE_PATHS } from "./hosted/tenant.ts";

/**
 * Every path of the HTTP API with its methods. The gate answers unknown paths (404) and methods
 * (405 with `Allow`) from this table before the framework sees the request, for odd methods too;
 * a test holds it against the route files.
 */
export type ApiRoute = {
  /** Pattern: literal segments, or `:name` for one segment. */
  path: string;
  methods: readonly Method[];
  /** True for the endpoints that wallets post to from any origin (contract 2). */
  cors?: boolean;
  /** True for flow C, whose errors are plain text (contract 2). */
  plainText?: boolean;
};

const READ = ["GET", "HEAD"] as const;

/** The routes of the hosted API below one base, from its operation table. */
function hostedRoutes(base: string): ApiRoute[] {
  const methods = new Map<string, Method[]>([[OPENAPI_PATH, [...READ]]]);
  for (const { path, method } of OPERATIONS) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? READ : [method])]);
  }
  return [...methods].map(([path, names]) => ({ path: base + path, methods: names }));
}

/** The console's changes below one mode: the operations that change something, and keys. */
function consoleRoutes(base: string): ApiRoute[] {
  const changing = OPERATIONS.filter(({ method }) => method !== "GET");
  const methods = Map.groupBy(changing, ({ path }) => path);
  return [
    ...[...methods].map(([path, operations]) => ({
      path: base + path,
      methods: operations.map(({ method }) => method),
    })),
    { path: `${base}/keys`, methods: ["POST"] },
    { path: `${base}/keys/:id`, methods: ["DELETE"] },
  ];
}

export const API_ROUTES: readonly ApiRoute[] = [
  // Flow A, specification 4.1
  { path: "/api/svc/qr", methods: READ },
  { path: "/api/svc/check", methods: READ },
  { path: "/api/svc/events", methods: ["GET"] },
  // GET is the page that a phone's own camera lands on (contract 4).
  { path: "/webhook/login", methods: ["GET", "HEAD", "POST"], cors: true },
  { path: "/webhook/register", methods: ["GET", "HEAD", "POST"], cors: true },
  // Flow B, specification 4.2: the operations below both bases, and the wallets' answers
  ...API_MODES.flatMap((mode) => hostedRoutes(BASE_PATHS[mode])),
  { path: "/webhook/sessions/:id", methods: ["POST"], cors: true },
  // The demo integrator: its receiver of events, and what its login page asks
  { path: "/webhook/events", methods: ["POST"] },
  { path: "/api/hosted-demo/qr", methods: READ },
  { path: "/api/hosted-demo/check", methods: READ },
  // Flow C, specification 4.3. A GET of the webhook may sign in; a HEAD must not, so it has none.
  { path: "/api/getqrcode", methods: READ, plainText: true },
  { path: FAST_WEBHOOK_PATH, methods: ["GET", "POST"], cors: true, plainText: true },
  { path: "/api/checkfast", methods: READ, plainText: true },
  // The signed-in user's own sessions and ways to sign in
  { path: "/api/account/added-key", methods: ["POST"] },
  { path: "/api/account/changes/dismiss", methods: ["POST"] },
  { path: "/api/account/credentials", methods: ["POST"] },
  { path: "/api/account/credentials/:id", methods: ["PATCH", "DELETE"] },
  { path: "/api/account/sessions", methods: ["DELETE"] },
  { path: "/api/account/sessions/:id", methods: ["DELETE"] },
  // The signed-in user's keys, domains and events
  ...API_MODES.flatMap((mode) => consoleRoutes(`/api/console/${mode}`)),
];

const PLAIN_TEXT_PATHS = API_ROUTES.filter(({ plainText }) => plainText).map(({ path }) => path);

/**
 * Below these prefixes every answer is the API's own, unknown paths and methods included (contract 2): JSON, but
 * plain text for flow C.
 */
export const API_PREFIXES: readonly string[] = [
  ...["/api/svc", "/api/hosted-demo", "/api/account", "/api/console", "/webhook", "/v1", "/sandbox/v1"],
  ...PLAIN_TEXT_PATHS,
];

/** True when `pathname` lies below one of the API's prefixes. */
export function isApiPath(pathname: string): boolean {
  return isBelow(pathname, API_PREFIXES);
}

/** True when the errors of `pathname` are plain text (flow C, contract 2). */
export function isPlainTextPath(pathname: string): boolean {
  return isBelow(pathname, PLAIN_TEXT_PATHS);
}

function isBelow(pathname: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}

const patterns = API_ROUTES.map((route) => ({
  route,
  regex: new RegExp(`^${route.path.replace(/:[a-z_]+/g, "[^/]+")}$`),
}));

/** The route that a path names, or null. */
export function matchApiRoute(pathname: string): ApiRoute | null {
  return patterns.find(({ regex }) => regex.test(pathname))?.route ?? null;
}
