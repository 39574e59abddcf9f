import { requireApproval } from "#lib/account/login.ts";
import { recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { describeApiKey, revokeKey } from "#lib/hosted/keys/manage-keys.ts";

/** Revokes an API key at once. Needs an approval: whoever stole a session would put the tenant's servers out. */
export const DELETE = consoleEndpoint(async ({ tenantId }, { request, params }) => {
  const asker = await requireApproval(request);
  await inNameOf(asker, { needsApproval: true }, async (queries) => {
    const revoked = await revokeKey(queries, tenantId, params.id ?? "");
    if (revoked.isNew) await recordChange(queries, asker, "api_key_revoked", describeApiKey(revoked));
  });
  return new Response(null, { status: 204 });
});
