import { refusal } from "../protocol/errors.ts";
import { USER_AGENT_LIMIT_BYTES } from "../protocol/numbers.ts";

export type RequestHeaders = Pick<Headers, "get" | "entries">;

/** Valid values are shorter, but clients can send 16 KB. */
export const PARSED_HEADER_LIMIT_CHARACTERS = 1024;

export function readTruncatedHeader(headers: Pick<Headers, "get">, name: string): string {
  return headers.get(name)?.slice(0, PARSED_HEADER_LIMIT_CHARACTERS) ?? "";
}

export function readUserAgent(headers: Pick<Headers, "get">): string | null {
  const userAgent = headers.get("user-agent");
  return userAgent === null ? null : truncateToBytes(userAgent, USER_AGENT_LIMIT_BYTES);
}

/** @param accept the `Accept` header */
export function wantsJson(accept: string): boolean {
  return acceptsType(accept, "application/json") && !acceptsHtml(accept);
}

/** @param accept the `Accept` header */
export function acceptsHtml(accept: string): boolean {
  return acceptsType(accept, "text/html");
}

/** In any letter case. `q=0` excludes a type, and wildcards do not count. */
function acceptsType(accept: string, mediaType: string): boolean {
  return accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .some(
      ([name, ...parameters]) => name === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part)),
    );
}

/** @throws {Refusal} 400 */
export function requireSid({ sid }: Record<string, string | undefined>): string {
  if (!sid) throw refusal("invalid_request", "Add the login's sid to the query: ?sid=…");
  return sid;
}

/**
 * Protects changes that a signed-in user's cookie authorises. The cookie's SameSite=Lax is the first defence, and this
 * check is the second. Browsers send `Origin` or `Sec-Fetch-Site`, so a request without both headers comes from a
 * program.
 * @throws {Refusal} 403 if the request comes from a page of another site
 */
export function assertSameOrigin({ headers }: { headers: RequestHeaders }, site: URL): void {
  const origin = headers.get("origin");
  const from = headers.get("sec-fetch-site") ?? "none";
  const isOwnPage = origin === null ? from === "same-origin" || from === "none" : origin === site.origin;
  if (!isOwnPage) throw refusal("forbidden", "Only a page of this site can request this.");
}

/** In UTF-8. Does not split a character. */
export function truncateToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}
