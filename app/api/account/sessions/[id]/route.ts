import { endpoint } from "#lib/core/http/endpoint.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { endSessions } from "#lib/flows/auth/end-sessions.ts";

/** Revokes one of the user's sessions. */
export const DELETE = endpoint({}, async ({ request, params }) => {
  requireSameOrigin(request);
  await endSessions(params.id ?? "");
  return new Response(null, { status: 204 });
});
