import "server-only";
import { recordChange } from "#lib/account/changes.ts";
import { requireApproval } from "#lib/account/require-approval.ts";
import { describeApiKey } from "#lib/hosted/keys/describe-api-key.ts";
import { revokeApiKeysOfUser } from "#lib/hosted/store/api-key.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";

/**
 * Revokes every API key of a signed-in user, of both modes, and tells the user's other browsers of each.
 * @throws {ApiError} 403 `approval_required`
 */
export async function revokeApiKeys(session: BrowserSession): Promise<void> {
  await requireApproval(session);
  for (const key of await revokeApiKeysOfUser(session.userId, now())) {
    await recordChange(session, "api_key_revoked", describeApiKey(key));
  }
}
