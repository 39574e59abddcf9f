import type { IncomingMessage } from "node:http";
import { FIELDS_LIMIT, HEADER_LINES_LIMIT, HEADERS_LIMIT_BYTES, URI_LIMIT_BYTES } from "./numbers.ts";
import { hasTooManyFields } from "./read-body.ts";

export type RequestFault = {
  code: "uri_too_long" | "headers_too_large" | "invalid_request";
  message: string;
};

export const URI_TOO_LONG: RequestFault = {
  code: "uri_too_long",
  message: `The address is longer than ${URI_LIMIT_BYTES} bytes. Send less in its path or query.`,
};
export const HEADERS_TOO_LARGE: RequestFault = {
  code: "headers_too_large",
  message: `The headers are larger than ${HEADERS_LIMIT_BYTES / 1024} KB. Send fewer or shorter ones; in a browser, delete this site's cookies.`,
};
const TOO_MANY_HEADERS: RequestFault = {
  code: "headers_too_large",
  message: `There are more than ${HEADER_LINES_LIMIT} headers. Send fewer.`,
};
const TOO_MANY_FIELDS: RequestFault = {
  code: "invalid_request",
  message: `The query has more than ${FIELDS_LIMIT} fields. Send fewer.`,
};

/** Reads only the raw headers, because parsing them would cost as much as this check saves. */
export function findRequestFault({
  url = "",
  rawHeaders,
}: Pick<IncomingMessage, "url" | "rawHeaders">): RequestFault | null {
  if (url.length > URI_LIMIT_BYTES) return URI_TOO_LONG;
  // Add two bytes to each name for a colon and a space, and to each value for a line break.
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  if (bytes > HEADERS_LIMIT_BYTES) return HEADERS_TOO_LARGE;
  // Limit the number of headers as well, because the framework copies every header many times.
  if (rawHeaders.length > 2 * HEADER_LINES_LIMIT) return TOO_MANY_HEADERS;
  const query = url.slice(url.indexOf("?") + 1);
  if (url.includes("?") && hasTooManyFields(query)) return TOO_MANY_FIELDS;
  return null;
}

export const INVALID_TARGET_MESSAGE =
  "The address is not valid. Send a path and a query, percent-encoded, without // at the start, .. or #.";

/** In origin form (RFC 9112, 3.2.1). */
export type RequestTarget = {
  pathname: string;
  decodedPathname: string;
  /** Includes the question mark, unless it is empty. */
  search: string;
};

/**
 * Returns null for a target that must not reach a route, because it is not in origin form or contains characters that a
 * URL cannot contain, invalid percent-encoding, NUL, dot segments or backslashes. Never throws.
 */
export function parseRequestTarget(url: string): RequestTarget | null {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(url) || url.includes("#")) return null;
  const at = url.indexOf("?");
  const pathname = at < 0 ? url : url.slice(0, at);
  const search = at < 0 ? "" : url.slice(at);
  if (!/[%.\\]/.test(url)) return { pathname, decodedPathname: pathname, search };
  try {
    const segments = pathname.split("/").map(decodeURIComponent);
    const decodedPathname = segments.join("/");
    const text = decodedPathname + decodeURIComponent(search.replaceAll("+", " "));
    if (text.includes("\0") || segments.some((segment) => segment === "." || segment === "..")) return null;
    if (segments.some((segment) => segment.includes("\\"))) return null;
    return { pathname, decodedPathname, search };
  } catch {
    return null;
  }
}
