import { recordChange } from "#lib/flows/account/changes.ts";
import { requireApproval } from "#lib/flows/auth/require-approval.ts";
import { consoleEndpoint } from "#lib/flows/console/console-endpoint.ts";
import { keyInWords } from "#lib/flows/keys/key-in-words.ts";
import { revokeKey } from "#lib/flows/keys/revoke-key.ts";

/** Revokes an API key at once. Needs an approval: whoever stole a session would put the owner's servers out. */
export const DELETE = consoleEndpoint(async ({ ownerId, session }, { params }) => {
  await requireApproval(session);
  const revoked = await revokeKey(ownerId, params.id ?? "");
  await recordChange(session, "api_key_revoked", keyInWords(revoked));
  return new Response(null, { status: 204 });
});
