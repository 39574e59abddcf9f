import { env } from "#lib/core/env.ts";
import { expiredBrowserCookie, readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { endSessions } from "#lib/flows/auth/end-sessions.ts";

/** Revokes one of the user's sessions. */
export const DELETE = endpoint({}, async ({ request, params }) => {
  requireSameOrigin(request);
  const secret = readBrowserCookie(request.headers.get("cookie"), env().SECURE);
  const signedOutHere = await endSessions(params.id ?? "", secret);
  const headers = signedOutHere ? { "Set-Cookie": expiredBrowserCookie(env().SECURE) } : undefined;
  return new Response(null, { status: 204, headers });
});
