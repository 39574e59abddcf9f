import type { IncomingMessage, ServerResponse } from "node:http";
import { answerHeaders } from "../http/security-headers.ts";
import { takesHtml } from "../server/web-request.ts";
import type { GateSettings } from "./settings.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const LONGEST_HOST = 64;

/**
 * Redirects a page that was opened under another name of this machine to the site's own origin, because its code could
 * not sign this browser in. Does not redirect programs.
 * @returns whether it has answered
 */
export function leadToOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
): boolean {
  const { method, headers, url = "/" } = request;
  const own = ownLoopbackUrl(settings.origin, headers.host, url);
  if (own === null || method !== "GET" || !takesHtml(headers.accept ?? "")) return false;
  for (const [name, value] of answerHeaders(settings, "page").headers) response.setHeader(name, value);
  response.writeHead(307, { Location: own }).end();
  return true;
}

/**
 * Where a page belongs that was opened by another name of this machine: `127.0.0.1` and `localhost` share no cookies,
 * and a login is for the site's own origin. Only where the site itself is at such a name: elsewhere a proxy may have
 * put its own into `Host`.
 * @param origin the site's own
 * @param host the request's `Host` header
 * @param target path and query
 * @returns the page's URL at the site's own origin; null if it is there, or has no reason to be
 */
export function ownLoopbackUrl(origin: URL, host: string | null | undefined, target: string): string | null {
  const sent = readHost(host ?? "");
  if (!sent || !LOOPBACK.test(origin.hostname) || !LOOPBACK.test(sent.hostname)) return null;
  if (sent.port !== origin.port || sent.hostname === origin.hostname) return null;
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
