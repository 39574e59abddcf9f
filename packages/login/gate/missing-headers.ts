import type { ServerResponse } from "node:http";
import { createResponseSecurityHeaders } from "../http/security-headers.ts";
import type { GateSettings } from "./settings.ts";

export const FRAMEWORK_PATH_PATTERN = /^\/(?:_next\/|favicon\.ico$)/;

/**
 * Keeps the headers that the site or the login has set. Error responses for the framework's own files get all security
 * headers.
 */
export function addMissingHeaders(response: ServerResponse, pathname: string, settings: GateSettings): void {
  const { writeHead } = response;
  response.writeHead = ((...headArguments: Parameters<typeof writeHead>) => {
    const headersSet = headersIn(headArguments.at(-1));
    const hasHeader = (name: string) => headersSet.has(name) || response.hasHeader(name);
    const type = headersSet.get("content-type") ?? response.getHeader("content-type");
    const isHtml = String(type).startsWith("text/html");
    const isError = Number(headArguments[0]) >= 400 && FRAMEWORK_PATH_PATTERN.test(pathname);
    const missing = isError
      ? createResponseSecurityHeaders(settings, isHtml ? "page" : "api").headers
      : ANY_ANSWER.filter(([name]) => name !== "x-frame-options" || !hasHeader("content-security-policy"));
    for (const [name, value] of missing) if (!hasHeader(name)) response.setHeader(name, value);
    return writeHead.apply(response, headArguments);
  }) as typeof writeHead;
}

function headersIn(headers: unknown): Map<string, unknown> {
  if (typeof headers !== "object" || headers === null) return new Map();
  const flat = Array.isArray(headers) ? headers.flat() : Object.entries(headers).flat();
  return new Map(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name).toLowerCase(), flat[at + 1]]] : [])),
  );
}

/** Safe to add on a site that sets none itself, because these headers restrict neither scripts nor browser features. */
const ANY_ANSWER: readonly (readonly [name: string, value: string])[] = [
  ["x-frame-options", "DENY"],
  ["content-security-policy", "object-src 'none'; base-uri 'self'; frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
];
