import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { revokeApiKeys } from "#lib/console/revoke-api-keys.ts";
import { requireSession } from "#lib/platform/current-session.ts";

/** Revokes every API key of the signed-in user, of both modes. */
export const DELETE = accountEndpoint(async () => {
  await revokeApiKeys(await requireSession());
  return new Response(null, { status: 204 });
});
