import { env } from "../env.ts";
import { assertSameOrigin } from "./same-origin.ts";
import type { WebRequest } from "./web-request.ts";

/**
 * Refuses a change that another site's page requests with a signed-in user's cookie.
 * @throws {ApiError} 403 when the request does not come from a page of ours
 */
export function requireSameOrigin(request: WebRequest): void {
  assertSameOrigin(request, env().APP_URL);
}
