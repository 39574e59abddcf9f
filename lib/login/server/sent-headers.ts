import { refusal } from "../protocol/errors.ts";
import { USER_AGENT_KEPT_CHARACTERS } from "../protocol/numbers.ts";

/** The headers of a request, as they are read. */
export type SentHeaders = Pick<Headers, "get" | "entries">;

/** What is kept of a request's `User-Agent`. */
export function userAgentOf(headers: Pick<Headers, "get">): string | null {
  return headers.get("user-agent")?.slice(0, USER_AGENT_KEPT_CHARACTERS) ?? null;
}

/** Whether a caller asks for JSON, as a wallet does, and not for a page. @param accept the `Accept` header */
export function wantsJson(accept: string): boolean {
  return accept.includes("application/json") && !takesHtml(accept);
}

/** Whether a caller is a browser that shows a page. @param accept the `Accept` header */
export function takesHtml(accept: string): boolean {
  return accept.includes("text/html");
}

/**
 * The `sid` of a query.
 * @throws {Refusal} 400 when it is missing
 */
export function requireSid({ sid }: Record<string, string | undefined>): string {
  if (!sid) throw refusal("invalid_request", "Add the login's sid to the query: ?sid=…");
  return sid;
}
