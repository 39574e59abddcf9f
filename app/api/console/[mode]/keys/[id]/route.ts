import { consoleEndpoint } from "#lib/flows/console/console-endpoint.ts";
import { revokeKey } from "#lib/flows/keys/revoke-key.ts";

/** Revokes an API key at once. */
export const DELETE = consoleEndpoint(async ({ ownerId }, { params }) => {
  await revokeKey(ownerId, params.id ?? "");
  return new Response(null, { status: 204 });
});
