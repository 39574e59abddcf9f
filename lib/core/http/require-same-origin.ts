import { ApiError } from "../api-error.ts";
import { env } from "../env.ts";

/**
 * Refuses a change that another site asks for in the name of a signed-in user; on top of the cookie's
 * SameSite=Lax.
 * @throws {ApiError} 403 when the request does not come from a page of ours
 */
export function requireSameOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (
    origin === null ? request.headers.get("sec-fetch-site") === "cross-site" : origin !== env().APP_URL.origin
  ) {
    throw new ApiError("forbidden", "This can only be asked for by a page of this site.");
  }
}
