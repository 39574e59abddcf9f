import type { Action } from "../../protocol/challenge.ts";
import { refusal } from "../../protocol/errors.ts";
import { parseIntent } from "../../protocol/qr-payload.ts";
import type { LoginCore } from "../../server/core.ts";
import { currentSession } from "../../server/session-token.ts";
import type { SentHeaders } from "../../server/web-request.ts";
import type { CodeIntent } from "../../store/login-session.ts";
import { requireApproval } from "../approvals/asker.ts";
import { recoveryOf } from "./read-recovery.ts";

/** A code that a browser asks for with an intent. */
export type AskedIntent = {
  /** The query's `intent`. */
  asked: string;
  /** The query's mode; null in fast login, which has none. */
  action: Action | null;
  headers: SentHeaders;
  /** Whether the site has pages on which an answering key is added to an account. */
  addsKeys: boolean;
};

/**
 * Reads what a code is for, if not to sign in (docs/protocol.md#36-intents): `approve` has one of the user's keys
 * approve a change, `recover` recovers an account with the answering key, `add` adds that key to the user's ways in,
 * which itself needs an approval.
 * @throws {Refusal} 400 for another intent, and for an action that does not fit it; when nobody is signed in, 401 for
 *   `add` and 403 `approval_required` for `approve`; 403 for `add` without a fresh approval; 401
 *   `invalid_recovery_code` for `recover` without an open recovery
 */
export async function readCodeIntent(
  core: LoginCore,
  { asked, action, headers, addsKeys }: AskedIntent,
): Promise<CodeIntent> {
  const intent = parseIntent(asked);
  if (intent === "approve") {
    if (action === "register") {
      throw refusal("invalid_request", 'A code with intent "approve" has the mode "login".');
    }
    const session = await currentSession(core, headers);
    if (session) return { intent, askedBy: session.id };
    throw refusal("approval_required", "Nobody is signed in here. Sign in: that counts as an approval.");
  }
  if (intent === "recover") {
    if (action === "login") {
      throw refusal("invalid_request", 'A code with intent "recover" has the mode "register".');
    }
    const recovery = await recoveryOf(core, headers);
    if (recovery?.status === "open") return { intent, askedBy: recovery.id };
    throw refusal(
      "invalid_recovery_code",
      "No recovery is open in this browser. Enter a recovery code first.",
    );
  }
  if (intent === "add" && addsKeys) {
    return { intent, askedBy: (await requireApproval(core, headers)).sessionId };
  }
  const intents = addsKeys ? '"approve", "add" or "recover"' : '"approve" or "recover"';
  throw refusal("invalid_request", `Set intent to ${intents}, or leave it out.`);
}
