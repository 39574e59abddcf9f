import "server-only";
import type { Action } from "#lib/login/protocol/challenge.ts";
import { parseIntent } from "#lib/login/protocol/qr-payload.ts";
import type { CodeIntent } from "#lib/login/store/login-session.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { WebRequest } from "#lib/platform/http/web-request.ts";
import { loginCore } from "#lib/platform/login.ts";
import { approvingIntent, recoveringIntent } from "#lib/recovery/code-intent.ts";
import { requireApproval } from "./require-approval.ts";

/**
 * What a browser asks for a code for, instead of signing in (docs/protocol.md#36-intents): `add` adds the answering key
 * to the ways in of its user, which needs an approval itself, `approve` has a key that the user has approve a change,
 * `recover` recovers an account with the key.
 * @param asked the query's `intent`
 * @param action the query's mode; null in fast login, which has none
 * @throws {Refusal} 400 for another intent, and for an action that does not fit it; when nobody is signed in, 401 for
 *   `add` and 403 `approval_required` for `approve`; 403 for `add` without a fresh approval; 401
 *   `invalid_recovery_code` for `recover` without an open recovery
 */
export async function readCodeIntent(
  asked: string,
  action: Action | null,
  { headers }: Pick<WebRequest, "headers">,
): Promise<CodeIntent> {
  switch (parseIntent(asked)) {
    case "add":
      return { intent: "add", askedBy: (await requireApproval({ headers })).sessionId };
    case "approve":
      return approvingIntent(loginCore(), action, headers);
    case "recover":
      requireAddressesThatRegister(action);
      return recoveringIntent(loginCore(), action, headers);
    default:
      throw new ApiError("invalid_request", 'Set intent to "approve", "add" or "recover", or leave it out.');
  }
}

/** An address can be an account's new key where addresses get accounts by themselves. */
function requireAddressesThatRegister(action: Action | null): void {
  if (action === null && !env().FAST_AUTO_REGISTER) {
    throw new ApiError(
      "invalid_request",
      "An account cannot be recovered with an address here. Use a wallet.",
    );
  }
}
