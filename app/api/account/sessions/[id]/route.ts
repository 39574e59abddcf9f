import { endSessions } from "#lib/account/end-sessions.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/** Revokes one of the user's sessions. */
export const DELETE = endpoint({}, async ({ request, params }) => {
  requireSameOrigin(request);
  await endSessions(params.id ?? "");
  return new Response(null, { status: 204 });
});
