import type { Action } from "#lib/login/protocol/challenge.ts";
import { refusal } from "#lib/login/protocol/errors.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { currentSession } from "#lib/login/server/session-token.ts";
import type { CodeIntent } from "#lib/login/store/login-session.ts";
import { requireOpenRecovery } from "./open-recovery.ts";

/** What a code of the site's own login can be asked for besides signing in (docs/protocol.md#36-intents). */

/**
 * A code that has a key approve a change.
 * @param action the query's mode; null in fast login, which has none
 * @throws {Refusal} 400 for a registration; 403 `approval_required` when nobody is signed in: to sign in is to approve
 */
export async function approvingIntent(
  core: LoginCore,
  action: Action | null,
  headers: SentHeaders,
): Promise<CodeIntent> {
  if (action === "register") {
    throw refusal("invalid_request", 'A code with intent "approve" has the mode "login".');
  }
  const session = await currentSession(core, headers);
  if (!session) {
    throw refusal("approval_required", "Nobody is signed in here. Sign in: that counts as an approval.");
  }
  return { intent: "approve", askedBy: session.id };
}

/**
 * A code whose answer becomes the new key of an account.
 * @throws {Refusal} 400 for a login; 401 `invalid_recovery_code` without an open recovery
 */
export async function recoveringIntent(
  core: LoginCore,
  action: Action | null,
  headers: SentHeaders,
): Promise<CodeIntent> {
  if (action === "login") {
    throw refusal("invalid_request", 'A code with intent "recover" has the mode "register".');
  }
  return { intent: "recover", askedBy: (await requireOpenRecovery(core, headers)).id };
}
