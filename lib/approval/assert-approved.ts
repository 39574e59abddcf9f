import { refusal } from "#lib/login/protocol/errors.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import type { ApprovalDetails, ApprovalWay } from "./details.ts";

/** A key's approval, or the sign-in, lets a browser change the account for this long (docs/protocol.md#44-approval). */
export const APPROVAL_SECONDS = 10 * 60;

/**
 * Lets a browser do what would outlive its session only while an approval by one of the user's keys is fresh: the
 * sign-in, or an answer to a code with `intent=approve`. A stolen session alone is not the account.
 * @param waysOf what the user can approve with, asked where an approval is missing
 * @throws {Refusal} 403 `approval_required`, whose details say what the user can approve with
 */
export async function assertApproved(
  session: BrowserSession,
  now: Date,
  waysOf: (session: BrowserSession) => Promise<ApprovalWay[]>,
): Promise<void> {
  const approvedAt = session.approvedAt ?? session.createdAt;
  if (approvedAt >= plusSeconds(now, -APPROVAL_SECONDS)) return;
  const details: ApprovalDetails = { approve_with: await waysOf(session) };
  throw refusal(
    "approval_required",
    "Nothing was changed yet. Approve it with a key or an address that you sign in with, then ask again.",
    { details },
  );
}
