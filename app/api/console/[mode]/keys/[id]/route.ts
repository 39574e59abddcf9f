import { recordChange } from "#lib/account/changes.ts";
import { requireApproval } from "#lib/account/require-approval.ts";
import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { describeApiKey } from "#lib/hosted/keys/describe-api-key.ts";
import { revokeKey } from "#lib/hosted/keys/revoke-key.ts";

/** Revokes an API key at once. Needs an approval: whoever stole a session would put the tenant's servers out. */
export const DELETE = consoleEndpoint(async ({ ownerId, session }, { params }) => {
  await requireApproval(session);
  const revoked = await revokeKey(ownerId, params.id ?? "");
  await recordChange(session, "api_key_revoked", describeApiKey(revoked));
  return new Response(null, { status: 204 });
});
