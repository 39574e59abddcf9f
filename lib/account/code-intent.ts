import "server-only";
import type { Action } from "#lib/login/protocol/challenge.ts";
import { parseIntent } from "#lib/login/protocol/qr-payload.ts";
import type { CodeIntent } from "#lib/login/store/login-session.ts";
import { currentSession, requireSession } from "#lib/platform/current-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";

/**
 * What a signed-in browser asks for a code for, instead of signing in (docs/protocol.md#36-intents): `add` adds the
 * answering key to the ways in of its user, `approve` has a key that the user has approve a change.
 * @param asked the query's `intent`
 * @throws {ApiError} 400 for another intent, and for an approval by another action than login; when nobody is signed
 *   in, 401 for `add` and 403 `approval_required` for `approve`: to sign in is to approve
 */
export async function readCodeIntent(
  asked: string,
  action: Action,
  { headers }: Request,
): Promise<CodeIntent> {
  const intent = parseIntent(asked);
  if (intent === null) {
    throw new ApiError("invalid_request", 'The intent is "approve" or "add", or there is none.');
  }
  if (intent === "add") return { intent, browserSessionId: (await requireSession(headers)).id };
  if (action !== "login") {
    throw new ApiError("invalid_request", 'A code with intent "approve" has the mode "login".');
  }
  const session = await currentSession(headers);
  if (!session) {
    throw new ApiError("approval_required", "Nobody is signed in here. Sign in: that counts as an approval.");
  }
  return { intent, browserSessionId: session.id };
}
