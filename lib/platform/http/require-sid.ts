import { ApiError } from "./api-error.ts";

/**
 * The `sid` of a query.
 * @throws {ApiError} 400 when it is missing
 */
export function requireSid(query: Record<string, string | undefined>): string {
  if (!query.sid) throw new ApiError("invalid_request", "Add the login's sid to the query: ?sid=…");
  return query.sid;
}
