import { refusal } from "../../protocol/errors.ts";
import { currentSession } from "../../server/browser-session.ts";
import type { AuthorizeCode, Plugin } from "../../site/plugin.ts";

/**
 * The answer to a code with `intent=approve` replaces the requesting browser session (docs/protocol.md#44-approval).
 * Before a change, call `requireApproval`.
 */
export function approvals(): Plugin<"approvals"> {
  return { name: "approvals", intents: () => ({ approve }) };
}

/** @throws {Refusal} 400 for a registration; 403 `approval_required` without a session */
const approve: AuthorizeCode = async (core, { action, headers }) => {
  if (action === "register") {
    throw refusal("invalid_request", 'A code with the intent "approve" must have the mode "login".');
  }
  const session = await currentSession(core, headers);
  if (session) return session.id;
  throw refusal(
    "approval_required",
    "You are not signed in. Sign in first, which also counts as an approval.",
  );
};
