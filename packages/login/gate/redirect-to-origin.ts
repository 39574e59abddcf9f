import type { IncomingMessage, ServerResponse } from "node:http";
import { createResponseSecurityHeaders } from "../http/security-headers.ts";
import { acceptsHtml } from "../server/web-request.ts";
import type { GateSettings } from "./settings.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const LONGEST_HOST = 64;

/**
 * A QR code on that page could not sign in the browser, because the browser's cookies belong to the other host name.
 * Only requests that accept HTML are redirected.
 * @returns whether the request has been answered
 */
export function redirectToOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
): boolean {
  const { method, headers, url = "/" } = request;
  const ownUrl = loopbackRedirectUrl(settings.origin, headers.host, url);
  if (ownUrl === null || method !== "GET" || !acceptsHtml(headers.accept ?? "")) return false;
  for (const [name, value] of createResponseSecurityHeaders(settings, "page").headers)
    response.setHeader(name, value);
  response.writeHead(307, { Location: ownUrl }).end();
  return true;
}

/**
 * `127.0.0.1` and `localhost` do not share cookies, and a login works only on the site's own origin.
 * @param target the page's path and query
 * @returns null if the page is already on that origin or belongs to a different site, or if the site's own host is not
 * a loopback name, because a proxy might then have set `Host`
 */
export function loopbackRedirectUrl(
  origin: URL,
  host: string | null | undefined,
  target: string,
): string | null {
  const requestHost = readHost(host ?? "");
  if (!requestHost || !LOOPBACK.test(origin.hostname) || !LOOPBACK.test(requestHost.hostname)) return null;
  if (requestHost.port !== origin.port || requestHost.hostname === origin.hostname) return null;
  return origin.origin + target;
}

function readHost(host: string): URL | null {
  if (host.length > LONGEST_HOST) return null;
  try {
    return new URL(`http://${host}`);
  } catch {
    return null;
  }
}
