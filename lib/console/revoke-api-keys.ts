import { requireApproval } from "#lib/account/login.ts";
import { recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import type { Asker } from "#lib/approval/asker.ts";
import { describeApiKey, revokeKeysOfUser } from "#lib/hosted/keys/manage-keys.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import type { Queries } from "#lib/platform/database/db.ts";

/**
 * Revokes every API key of the signed-in user, of both modes.
 * @throws {Refusal} 401 when nobody is signed in, 403 `approval_required`
 */
export async function revokeApiKeys(request: { headers: SentHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  await inNameOf(asker, { needsApproval: true }, (queries) => revokeApiKeysWithin(queries, asker));
}

/** The same within a change of the user's account. Each key is a change that the user is shown. */
export async function revokeApiKeysWithin(queries: Queries, asker: Asker): Promise<void> {
  for (const key of await revokeKeysOfUser(queries, asker)) {
    await recordChange(queries, asker, "api_key_revoked", describeApiKey(key));
  }
}
