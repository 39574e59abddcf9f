import { randomUUID } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { createResponseSecurityHeaders, type HeaderSettings } from "./http/security-headers.ts";

/** Call this in the site's `proxy.ts`. */
export function protectPages(request: NextRequest): NextResponse {
  const secure = process.env.APP_URL?.startsWith("https:") ?? false;
  const development = process.env.NODE_ENV === "development";
  const { forwarded, headers } = protectedPage(request.headers, { secure, development });
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/**
 * Each page's policy has a unique nonce.
 * @returns `forwarded`: the request's headers for the framework, which reads the nonce for its scripts from them;
 * `headers`: the response's headers
 */
export function protectedPage(requestHeaders: Headers, settings: HeaderSettings) {
  const { policy, headers } = createResponseSecurityHeaders(settings, "page");
  const forwarded = new Headers(requestHeaders);
  forwarded.set("Content-Security-Policy", policy);
  return { forwarded, headers: { ...Object.fromEntries(headers), "X-Request-Id": randomUUID() } };
}
