import { endpoint } from "#lib/core/http/endpoint.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { endSessions } from "#lib/flows/auth/end-sessions.ts";

/** Signs the user out everywhere, here too. */
export const DELETE = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  await endSessions(null);
  return new Response(null, { status: 204 });
});
