import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { revokeKey } from "#lib/hosted/keys/revoke-key.ts";

/** Revokes an API key at once. */
export const DELETE = consoleEndpoint(async ({ ownerId }, { params }) => {
  await revokeKey(ownerId, params.id ?? "");
  return new Response(null, { status: 204 });
});
