import "server-only";
import { now } from "#lib/core/clock.ts";
import { revokeApiKeysOfUser } from "#lib/store/api-key.ts";
import { requireSession } from "../auth/current-session.ts";
import { requireApproval } from "../auth/require-approval.ts";
import { keyInWords } from "../keys/key-in-words.ts";
import { recordChange } from "./changes.ts";

/**
 * What goes before all sessions of the signed-in user end: the API keys are revoked if that was asked for, and
 * whoever signs in next is told. Signing out itself needs no approval; revoking the keys does.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required` for the keys
 */
export async function beforeSignOutEverywhere({ revokesKeys }: { revokesKeys: boolean }): Promise<void> {
  const session = await requireSession();
  if (revokesKeys) {
    await requireApproval(session);
    for (const key of await revokeApiKeysOfUser(session.userId, now())) {
      await recordChange(session, "api_key_revoked", keyInWords(key));
    }
  }
  await recordChange(session, "signed_out_everywhere", null);
}
