import "server-only";
import type { Action } from "#lib/contracts/challenge.ts";
import { type Intent, parseIntent } from "#lib/contracts/qr-data.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { currentSession, requireSession } from "./current-session.ts";

/** What a signed-in browser asks for a code for, instead of signing in. */
export type CodeIntent = { intent: Intent; browserSessionId: string };

/**
 * What a code is asked for: to sign in (no `intent`), with `intent=add` to add the answering key to the ways in which
 * the signed-in user signs in, or with `intent=approve` to have a key that the user has approve a change.
 * @param sent the request's headers
 * @returns null to sign in
 * @throws {ApiError} 400 for another intent, and for an approval by another action than login; when nobody is signed
 *   in, 401 for `add` and 403 `approval_required` for `approve`: to sign in is to approve
 */
export async function codeIntent(
  asked: string | undefined,
  action: Action,
  sent: Headers,
): Promise<CodeIntent | null> {
  if (asked === undefined) return null;
  const intent = parseIntent(asked);
  if (intent === null) {
    throw new ApiError("invalid_request", 'The intent is "approve" or "add", or there is none.');
  }
  if (intent === "add") return { intent, browserSessionId: (await requireSession(sent)).id };
  if (action !== "login") {
    throw new ApiError("invalid_request", 'A code with intent "approve" has the mode "login".');
  }
  const session = await currentSession(sent);
  if (!session) {
    throw new ApiError("approval_required", "Nobody is signed in here. Sign in: that counts as an approval.");
  }
  return { intent, browserSessionId: session.id };
}
