import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { revokeApiKeys } from "#lib/console/revoke-api-keys.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/** Revokes every API key of the signed-in user, of both modes. */
export const DELETE = accountEndpoint(async ({ request }) => {
  requireSameOrigin(request);
  await revokeApiKeys(await requireSession());
  return new Response(null, { status: 204 });
});
