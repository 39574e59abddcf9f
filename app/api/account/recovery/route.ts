import { cancelRecovery } from "#lib/account/recovery.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/** Cancels the recovery of the signed-in user, from any of their browsers. */
export const DELETE = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  await cancelRecovery();
  return new Response(null, { status: 204 });
});
