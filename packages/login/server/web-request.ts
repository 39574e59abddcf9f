import { refusal } from "../protocol/errors.ts";
import { USER_AGENT_LIMIT_BYTES } from "../protocol/numbers.ts";

/** The headers of a request, for reading. */
export type SentHeaders = Pick<Headers, "get" | "entries">;

/** The number of characters of a header that are parsed. Valid values are shorter, but a client may send 16 KB. */
export const PARSED_HEADER_CHARACTERS = 1024;

/** Returns the part of a header that is parsed, or an empty string if the header is missing. */
export function parsedHeader(headers: Pick<Headers, "get">, name: string): string {
  return headers.get(name)?.slice(0, PARSED_HEADER_CHARACTERS) ?? "";
}

/** Returns a request's `User-Agent`, truncated to the length that is stored, or null if the request has none. */
export function userAgentOf(headers: Pick<Headers, "get">): string | null {
  const userAgent = headers.get("user-agent");
  return userAgent === null ? null : truncateToBytes(userAgent, USER_AGENT_LIMIT_BYTES);
}

/** Returns whether a caller, such as a wallet, requests JSON instead of a page. @param accept the `Accept` header */
export function wantsJson(accept: string): boolean {
  return acceptsType(accept, "application/json") && !acceptsHtml(accept);
}

/** Returns whether a caller is a browser that shows a page. @param accept the `Accept` header */
export function acceptsHtml(accept: string): boolean {
  return acceptsType(accept, "text/html");
}

/** Returns whether a media type is listed, in any letter case, and not excluded by `q=0`. A wildcard does not count. */
function acceptsType(accept: string, mediaType: string): boolean {
  return accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .some(
      ([name, ...parameters]) => name === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part)),
    );
}

/**
 * Returns the `sid` in a query.
 * @throws {Refusal} 400 when it is missing
 */
export function requireSid({ sid }: Record<string, string | undefined>): string {
  if (!sid) throw refusal("invalid_request", "Add the login's sid to the query: ?sid=…");
  return sid;
}

/**
 * Refuses a change that another site's page requests with a signed-in user's cookie. The cookie's SameSite=Lax is the
 * first defence, and this is the second. A request without both headers comes from a program, because browsers send
 * at least one.
 * @throws {Refusal} 403 when the request does not come from a page of the site
 */
export function assertSameOrigin({ headers }: { headers: SentHeaders }, site: URL): void {
  const origin = headers.get("origin");
  const from = headers.get("sec-fetch-site") ?? "none";
  const isOwnPage = origin === null ? from === "same-origin" || from === "none" : origin === site.origin;
  if (!isOwnPage) throw refusal("forbidden", "Only a page of this site can request this.");
}

/** Returns the beginning of a string, at most `bytes` long in UTF-8. Characters are never split. */
export function truncateToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}
