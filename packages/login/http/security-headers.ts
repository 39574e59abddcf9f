import { randomBytes } from "node:crypto";

/** Returns the headers of every response, with names in lower case, as Node.js needs them. */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    // Wallets on other origins use CORS to read responses, and this header does not affect CORS.
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=()",
    ...(secure ? { "strict-transport-security": "max-age=63072000" } : {}),
  };
}

/** The facts on which the headers of a response depend. */
export type HeaderSettings = {
  /** Whether the site is served over HTTPS, so that browsers can be required to use it. */
  secure: boolean;
  /** Whether the framework's development tools, which need more permissions, are running. */
  development: boolean;
};

type AnswerHeaders = { policy: string; headers: readonly [name: string, value: string][] };

/** All JSON responses have the same headers, so they are cached. */
const ofJson = new WeakMap<HeaderSettings, AnswerHeaders>();

/** Returns the headers of one response. A page's policy has a nonce that no other response has. */
export function answerHeaders(settings: HeaderSettings, kind: ContentKind): AnswerHeaders {
  if (kind !== "api") return makeHeaders(settings, kind, randomBytes(16).toString("base64"));
  const cached = ofJson.get(settings) ?? makeHeaders(settings, kind, "");
  ofJson.set(settings, cached);
  return cached;
}

function makeHeaders(settings: HeaderSettings, kind: ContentKind, nonce: string): AnswerHeaders {
  const policy = contentSecurityPolicy({ kind, nonce, ...settings });
  const headers = { ...securityHeaders(settings.secure), "content-security-policy": policy };
  return { policy, headers: Object.entries(headers) };
}

/**
 * The kind of a response: JSON, a page, or the wallet's page, which posts to other sites' webhooks and reads their
 * delegation files.
 */
export type ContentKind = "api" | "page" | "wallet";

/** Returns the content security policy. JSON may not load anything, and pages may only run scripts with the nonce. */
export function contentSecurityPolicy(options: {
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
    // Hot reload evaluates code. Production pages do not.
    `script-src 'self' 'nonce-${options.nonce}' 'strict-dynamic'${options.development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${connect.join(" ")}`,
    // The wallet decodes camera images in a worker, and a service worker caches its files.
    ...(wallet ? ["worker-src 'self'", "manifest-src 'self'", "font-src 'self'"] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(options.secure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
