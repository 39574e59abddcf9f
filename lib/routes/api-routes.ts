import { CONSOLE_OPERATIONS } from "#lib/hosted/contract/console.ts";
import type { HttpMethod, Operation } from "#lib/hosted/contract/operation.ts";
import { OPENAPI_PATH, OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { API_BASE_PATHS, API_MODES } from "#lib/hosted/contract/tenant.ts";
import type { ErrorFormat, RefusalFormat } from "#packages/login/gate/settings.ts";
import { FAST_WEBHOOK_PATH } from "#packages/login/plugins/fast/protocol.ts";
import { UNDO_PATH } from "#packages/login/protocol/paths.ts";

/**
 * Using this table, the gate refuses unknown paths (404) and methods (405 with `Allow`) before Next.js sees the
 * request. A test compares the table with the route files.
 */
export type ApiRoute = {
  /** Each segment is literal text, or `:name` for any text. */
  path: string;
  methods: readonly HttpMethod[];
  /** True if wallets may post to this path from any origin. */
  cors?: boolean;
  /** Fast login and event receivers have their own formats. The default is docs/protocol.md#21-errors. */
  errors?: Exclude<ErrorFormat, "body">;
};

const READ = ["GET", "HEAD"] as const;

function routesOf(base: string, operations: readonly Pick<Operation, "path" | "method">[]): ApiRoute[] {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return [...byPath].map(([path, named]) => ({
    path: base + path,
    methods: named.flatMap(({ method }) => (method === "GET" ? READ : [method])),
  }));
}

export const HOSTED_DEMO_ROUTES = [
  { path: "/api/hosted-demo/qr", methods: READ },
  { path: "/api/hosted-demo/check", methods: READ },
  { path: "/api/hosted-demo/events", methods: ["GET"] },
  { path: "/api/hosted-demo/trace", methods: READ },
] as const satisfies readonly ApiRoute[];

/** docs/conformance.md#a-wallet-on-a-phone */
export const CONFORMANCE_ROUTES = [
  { path: "/api/conformance/runs", methods: ["POST"] },
  { path: "/api/conformance/run", methods: READ },
  { path: "/api/conformance/run/codes", methods: ["POST"] },
  { path: "/api/conformance/run/words", methods: ["POST"] },
  { path: "/api/conformance/run/report", methods: READ },
] as const satisfies readonly ApiRoute[];

export const ACCOUNT_ROUTES = [
  { path: "/api/account", methods: ["DELETE"] },
  { path: "/api/account/export", methods: ["GET"] },
  { path: "/api/account/api-keys", methods: ["DELETE"] },
  { path: "/api/account/profile", methods: ["PATCH"] },
  { path: "/api/account/picture", methods: ["GET"] },
  { path: "/api/account/recovery", methods: ["DELETE"] },
  { path: "/api/account/recovery-codes", methods: ["POST"] },
  { path: "/api/account/recovery-codes/check", methods: ["POST"] },
  { path: "/api/account/recovery-codes/confirm", methods: ["POST"] },
  { path: "/api/account/added-key", methods: ["POST"] },
  { path: "/api/account/changes/dismiss", methods: ["POST"] },
  { path: "/api/account/credentials", methods: ["POST"] },
  { path: "/api/account/credentials/:id", methods: ["PATCH", "DELETE"] },
  { path: "/api/account/sessions", methods: ["DELETE"] },
  { path: "/api/account/sessions/:id", methods: ["DELETE"] },
] as const satisfies readonly ApiRoute[];

export const API_ROUTES: readonly ApiRoute[] = [
  // Login (docs/protocol.md#3-login).
  { path: "/api/svc/qr", methods: READ },
  { path: "/api/svc/check", methods: READ },
  { path: "/api/svc/events", methods: ["GET"] },
  { path: "/api/svc/sign-in", methods: ["POST"] },
  // A phone's camera opens these URLs with a GET request, which returns a page (docs/protocol.md#3-login).
  { path: "/webhook/login", methods: ["GET", "HEAD", "POST"], cors: true },
  { path: "/webhook/register", methods: ["GET", "HEAD", "POST"], cors: true },
  { path: UNDO_PATH, methods: ["GET", "HEAD", "POST"], cors: true },
  // Hosted login (docs/protocol.md#5-hosted-login): the operations of both modes, and the wallets' responses.
  ...API_MODES.flatMap((mode) =>
    routesOf(API_BASE_PATHS[mode], [{ path: OPENAPI_PATH, method: "GET" }, ...OPERATIONS]),
  ),
  { path: "/webhook/sessions/:id", methods: ["GET", "HEAD", "POST"], cors: true },
  // The demo customer's event receiver, and the requests that its login page sends.
  { path: "/webhook/events", methods: ["POST"], errors: "message" },
  ...HOSTED_DEMO_ROUTES,
  // Fast login (docs/protocol.md#6-fast-login). A GET of the webhook can sign someone in, but a HEAD must not, so the
  // webhook has no HEAD.
  { path: "/api/getqrcode", methods: READ, errors: "text" },
  { path: FAST_WEBHOOK_PATH, methods: ["GET", "POST"], cors: true, errors: "text" },
  { path: "/api/checkfast", methods: READ, errors: "text" },
  ...CONFORMANCE_ROUTES,
  { path: "/conformance/answers/:run/:code", methods: ["POST"], cors: true },
  // Recovery (docs/protocol.md#10-recovery).
  { path: "/api/recovery", methods: ["POST"] },
  ...ACCOUNT_ROUTES,
  // The signed-in user's API keys, domains and events.
  ...API_MODES.flatMap((mode) => routesOf(`/api/console/${mode}`, CONSOLE_OPERATIONS)),
];

const ROUTES_WITH_OWN_ERRORS = API_ROUTES.filter(({ errors }) => errors);

/** Below these prefixes, every response is JSON or, for fast login, plain text, even for unknown paths and methods. */
const API_PREFIXES: readonly string[] = [
  ...[
    "/api/svc",
    "/api/hosted-demo",
    "/api/recovery",
    "/api/account",
    "/api/console",
    "/api/conformance",
    "/conformance/answers",
    "/webhook",
    "/v1",
    "/sandbox/v1",
  ],
  ...ROUTES_WITH_OWN_ERRORS.map(({ path }) => path),
];

export function isApiPath(pathname: string): boolean {
  return isBelow(pathname, API_PREFIXES);
}

/** The format also applies to paths below `pathname`. */
export function findRefusalFormat(pathname: string): RefusalFormat {
  if (!isApiPath(pathname)) return {};
  const errors = ROUTES_WITH_OWN_ERRORS.find(({ path }) => isBelow(pathname, [path]))?.errors ?? "body";
  return { errors, cors: matchApiRoute(pathname)?.cors };
}

function isBelow(pathname: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
}

const literal = new Map(API_ROUTES.map((route) => [route.path, route]));
const patterns = API_ROUTES.filter(({ path }) => path.includes(":")).map((route) => ({
  route,
  regex: new RegExp(`^${route.path.replace(/:[a-z_]+/g, "[^/]+")}$`),
}));

export function matchApiRoute(pathname: string): ApiRoute | null {
  return literal.get(pathname) ?? patterns.find(({ regex }) => regex.test(pathname))?.route ?? null;
}
