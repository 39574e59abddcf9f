import { endSessions } from "#lib/account/end-sessions.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/** Signs the user out everywhere, here too. */
export const DELETE = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  await endSessions(null);
  return new Response(null, { status: 204 });
});
