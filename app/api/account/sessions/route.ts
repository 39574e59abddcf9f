import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { expiredBrowserCookie, readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { beforeSignOutEverywhere } from "#lib/flows/account/before-sign-out-everywhere.ts";
import { endSessions } from "#lib/flows/auth/end-sessions.ts";

/** Signs the user out everywhere, here too; with `?api_keys=revoke` the user's API keys are revoked first. */
export const DELETE = endpoint({}, async ({ request, query }) => {
  requireSameOrigin(request);
  if (query.api_keys !== undefined && query.api_keys !== "revoke") {
    throw new ApiError("invalid_request", 'api_keys is "revoke", or absent to keep them.');
  }
  await beforeSignOutEverywhere({ revokesKeys: query.api_keys === "revoke" });
  await endSessions(null, readBrowserCookie(request.headers.get("cookie"), env().SECURE));
  return new Response(null, { status: 204, headers: { "Set-Cookie": expiredBrowserCookie(env().SECURE) } });
});
