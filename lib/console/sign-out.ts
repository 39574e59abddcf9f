import { revokeEverySession } from "#lib/account/end-sessions.ts";
import { loginCore, requireApproval } from "#lib/account/login.ts";
import { recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import { describeApiKey, revokeKeysOfUser } from "#lib/hosted/keys/manage-keys.ts";
import { type Asker, requireAsker } from "#lib/login/approval/asker.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import type { Queries } from "#lib/platform/database/db.ts";

/**
 * Ends all sessions of the signed-in user, and after them, if asked, revokes the API keys, in one transaction: a session
 * that creates a key at this moment is waited for, or is over. Signing out needs no approval; revoking the keys does.
 * @throws {Refusal} 401 when nobody is signed in, 403 `approval_required` for the keys
 */
export async function signOutEverywhere(
  request: { headers: SentHeaders },
  { revokesKeys }: { revokesKeys: boolean },
): Promise<void> {
  const asker = revokesKeys
    ? await requireApproval(request)
    : await requireAsker(loginCore(), request.headers);
  await inNameOf(asker, { needsApproval: revokesKeys }, async (queries) => {
    await recordChange(queries, asker, "signed_out_everywhere", null);
    await revokeEverySession(queries, asker, request);
    if (revokesKeys) await revokeApiKeysWithin(queries, asker);
  });
}

/**
 * Revokes every API key of the signed-in user, of both modes.
 * @throws {Refusal} 401 when nobody is signed in, 403 `approval_required`
 */
export async function revokeApiKeys(request: { headers: SentHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  await inNameOf(asker, { needsApproval: true }, (queries) => revokeApiKeysWithin(queries, asker));
}

/** The same within a change of the user's account. Each key is a change that the user is shown. */
async function revokeApiKeysWithin(queries: Queries, asker: Asker): Promise<void> {
  for (const key of await revokeKeysOfUser(queries, asker)) {
    await recordChange(queries, asker, "api_key_revoked", describeApiKey(key));
  }
}
