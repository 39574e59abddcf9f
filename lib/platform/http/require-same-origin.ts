import { env } from "../env.ts";
import { ApiError } from "./api-error.ts";

/**
 * Refuses a change that another site's page requests with a signed-in user's cookie. The cookie's SameSite=Lax is the
 * first defence, this the second.
 * @throws {ApiError} 403 when the request does not come from a page of ours
 */
export function requireSameOrigin(request: Request): void {
  const { headers } = request;
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site") ?? "none";
  const ours = origin === null ? site === "same-origin" || site === "none" : origin === env().APP_URL.origin;
  if (!ours) throw new ApiError("forbidden", "This can only be asked for by a page of this site.");
}
