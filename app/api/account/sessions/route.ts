import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { endSessions } from "#lib/account/end-sessions.ts";
import { beforeSignOutEverywhere } from "#lib/console/before-sign-out-everywhere.ts";
import { expiredBindingSetCookie, readBindingSecret } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";

/** Signs the user out everywhere, here too; with `?api_keys=revoke` the user's API keys are revoked first. */
export const DELETE = accountEndpoint(async ({ request, query }) => {
  if (query.api_keys !== undefined && query.api_keys !== "revoke") {
    throw new ApiError("invalid_request", 'api_keys is "revoke", or absent to keep them.');
  }
  await beforeSignOutEverywhere({ revokesKeys: query.api_keys === "revoke" });
  await endSessions(null, readBindingSecret(request.headers.get("cookie"), env().SECURE));
  return new Response(null, {
    status: 204,
    headers: { "Set-Cookie": expiredBindingSetCookie(env().SECURE) },
  });
});
