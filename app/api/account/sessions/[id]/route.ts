import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { endSessions } from "#lib/account/end-sessions.ts";
import { expiredBindingSetCookie, readBindingSecret } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";

/** Revokes one of the user's sessions. */
export const DELETE = accountEndpoint(async ({ request, params }) => {
  const secret = readBindingSecret(request.headers.get("cookie"), env().SECURE);
  const signedOutHere = await endSessions(params.id ?? "", secret);
  const headers = signedOutHere ? { "Set-Cookie": expiredBindingSetCookie(env().SECURE) } : undefined;
  return new Response(null, { status: 204, headers });
});
