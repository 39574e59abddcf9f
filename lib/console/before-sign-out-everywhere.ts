import "server-only";
import { recordChange } from "#lib/account/changes.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { revokeApiKeys } from "./revoke-api-keys.ts";

/**
 * What goes before all sessions of the signed-in user end: the API keys are revoked if that was asked for, and
 * whoever signs in next is told. Signing out itself needs no approval; revoking the keys does.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required` for the keys
 */
export async function beforeSignOutEverywhere({ revokesKeys }: { revokesKeys: boolean }): Promise<void> {
  const session = await requireSession();
  if (revokesKeys) await revokeApiKeys(session);
  await recordChange(session, "signed_out_everywhere", null);
}
