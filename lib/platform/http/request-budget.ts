import type { IncomingMessage } from "node:http";
import { FIELDS_LIMIT, HEADER_LINES_LIMIT, HEADERS_LIMIT_BYTES, URI_LIMIT_BYTES } from "../numbers.ts";
import { hasTooManyFields } from "./read-form.ts";

/** Why a request is refused. */
export type Excess = { code: "uri_too_long" | "headers_too_large" | "invalid_request"; message: string };

export const URI_TOO_LONG: Excess = {
  code: "uri_too_long",
  message: `The address is longer than ${URI_LIMIT_BYTES} bytes. Send less in its path or query.`,
};
export const HEADERS_TOO_LARGE: Excess = {
  code: "headers_too_large",
  message: `The headers are larger than ${HEADERS_LIMIT_BYTES / 1024} KB. Send fewer or shorter ones; in a browser, delete this site's cookies.`,
};
const TOO_MANY_HEADERS: Excess = {
  code: "headers_too_large",
  message: `There are more than ${HEADER_LINES_LIMIT} headers. Send fewer.`,
};
const TOO_MANY_FIELDS: Excess = {
  code: "invalid_request",
  message: `The query has more than ${FIELDS_LIMIT} fields. Send fewer.`,
};

/**
 * The first limit that a request exceeds, or null. Reads the raw headers only: parsing them would already cost what
 * this saves.
 */
export function findExcess({
  url = "",
  rawHeaders,
}: Pick<IncomingMessage, "url" | "rawHeaders">): Excess | null {
  if (url.length > URI_LIMIT_BYTES) return URI_TOO_LONG;
  // Two bytes more for each name and value: colon and space, or the line's end.
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  if (bytes > HEADERS_LIMIT_BYTES) return HEADERS_TOO_LARGE;
  // The framework copies each of them many times.
  if (rawHeaders.length > 2 * HEADER_LINES_LIMIT) return TOO_MANY_HEADERS;
  const query = url.slice(url.indexOf("?") + 1);
  if (url.includes("?") && hasTooManyFields(query)) return TOO_MANY_FIELDS;
  return null;
}
