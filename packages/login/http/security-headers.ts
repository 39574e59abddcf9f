import { randomBytes } from "node:crypto";

/** The names are in lower case, as Node.js requires. */
export function createCommonSecurityHeaders(secure: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    // This header does not affect wallets on other origins, because they read responses through CORS.
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=()",
    ...(secure ? { "strict-transport-security": "max-age=63072000" } : {}),
  };
}

export type HeaderSettings = {
  /** The headers then require browsers to use HTTPS for every request. */
  secure: boolean;
  /** The framework's development tools need more permissions. */
  development: boolean;
};

type AnswerHeaders = { policy: string; headers: readonly [name: string, value: string][] };

const ofJson = new WeakMap<HeaderSettings, AnswerHeaders>();

/** Each page gets a policy with a unique nonce. */
export function createResponseSecurityHeaders(settings: HeaderSettings, kind: ContentKind): AnswerHeaders {
  if (kind !== "api") return makeHeaders(settings, kind, randomBytes(16).toString("base64"));
  const cached = ofJson.get(settings) ?? makeHeaders(settings, kind, "");
  ofJson.set(settings, cached);
  return cached;
}

function makeHeaders(settings: HeaderSettings, kind: ContentKind, nonce: string): AnswerHeaders {
  const policy = createContentSecurityPolicy({ kind, nonce, ...settings });
  const headers = { ...createCommonSecurityHeaders(settings.secure), "content-security-policy": policy };
  return { policy, headers: Object.entries(headers) };
}

/** A `wallet` page posts to other sites' webhooks and reads their delegation files. */
export type ContentKind = "api" | "page" | "wallet";

/** JSON responses must not load anything, and pages run only scripts that have the nonce. */
export function createContentSecurityPolicy(options: {
  kind: ContentKind;
  nonce: string;
  secure: boolean;
  development: boolean;
}): string {
  if (options.kind === "api") {
    return "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }
  const wallet = options.kind === "wallet";
  const connect = ["'self'"];
  if (wallet) connect.push("https:", "http://localhost:*", "http://*.localhost:*", "http://127.0.0.1:*");
  if (options.development) connect.push("ws:");
  return [
    wallet ? "default-src 'none'" : "default-src 'self'",
    // Hot reload needs `eval`. Production pages do not.
    `script-src 'self' 'nonce-${options.nonce}' 'strict-dynamic'${options.development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${connect.join(" ")}`,
    // The wallet decodes camera images in a worker, and a service worker caches the wallet's files.
    ...(wallet ? ["worker-src 'self'", "manifest-src 'self'", "font-src 'self'"] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(options.secure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
