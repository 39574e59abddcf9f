import { ApiError } from "../api-error.ts";

/** A sid as we make them; anything else is not looked up. */
const SID = /^[A-Za-z0-9_-]{1,64}$/;

export function isSid(text: string): boolean {
  return SID.test(text);
}

/**
 * The `sid` of a query.
 * @throws {ApiError} 400 when it is missing
 */
export function requireSid(query: Record<string, string | undefined>): string {
  if (!query.sid) throw new ApiError("invalid_request", "Name the session: ?sid=…");
  return query.sid;
}
