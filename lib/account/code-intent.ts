import "server-only";
import type { Action } from "#lib/login/protocol/challenge.ts";
import { parseIntent } from "#lib/login/protocol/qr-payload.ts";
import type { CodeIntent } from "#lib/login/store/login-session.ts";
import { currentSession, requireSession } from "#lib/platform/current-session.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { loginCore } from "#lib/platform/login.ts";
import { requireOpenRecovery } from "#lib/recovery/open-recovery.ts";

/**
 * What a browser asks for a code for, instead of signing in (docs/protocol.md#36-intents): `add` adds the answering key
 * to the ways in of its user, `approve` has a key that the user has approve a change, `recover` recovers an account
 * with the key.
 * @param asked the query's `intent`
 * @param action the query's mode; null in fast login, which has none
 * @throws {ApiError} 400 for another intent, and for an action that does not fit it; when nobody is signed in, 401 for
 *   `add` and 403 `approval_required` for `approve`: to sign in is to approve; 401 `invalid_recovery_code` for
 *   `recover` without an open recovery
 */
export async function readCodeIntent(
  asked: string,
  action: Action | null,
  { headers }: Request,
): Promise<CodeIntent> {
  const intent = parseIntent(asked);
  if (intent === null) {
    throw new ApiError("invalid_request", 'The intent is "approve", "add" or "recover", or there is none.');
  }
  if (intent === "add") return { intent, askedBy: (await requireSession(headers)).id };
  if (intent === "recover") {
    requireRegistration(action);
    return { intent, askedBy: (await requireOpenRecovery(loginCore(), headers)).id };
  }
  if (action === "register") {
    throw new ApiError("invalid_request", 'A code with intent "approve" has the mode "login".');
  }
  const session = await currentSession(headers);
  if (!session) {
    throw new ApiError("approval_required", "Nobody is signed in here. Sign in: that counts as an approval.");
  }
  return { intent, askedBy: session.id };
}

/** The new key of a recovery is registered; an address is, where addresses get accounts by themselves. */
function requireRegistration(action: Action | null): void {
  if (action === "login") {
    throw new ApiError("invalid_request", 'A code with intent "recover" has the mode "register".');
  }
  if (action === null && !env().FAST_AUTO_REGISTER) {
    throw new ApiError(
      "invalid_request",
      "An account cannot be recovered with an address here. Use a wallet.",
    );
  }
}
