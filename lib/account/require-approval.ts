import "server-only";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { ApprovalDetails, ApprovalWay } from "./contract/approval.ts";
import { listCredentials } from "./store/credential.ts";

/** A key's approval, or the sign-in, lets a browser change the account for this long (docs/protocol.md#44-approval). */
export const APPROVAL_SECONDS = 10 * 60;

/**
 * Lets a browser do what would outlive its session only while an approval by one of the user's keys is fresh: the
 * sign-in, or an answer to a code with `intent=approve`. A stolen session alone is not the account.
 * @throws {ApiError} 403 `approval_required`, whose details say what the user can approve with
 */
export async function requireApproval(session: BrowserSession): Promise<void> {
  const approvedAt = session.approvedAt ?? session.createdAt;
  if (approvedAt >= plusSeconds(now(), -APPROVAL_SECONDS)) return;
  const details: ApprovalDetails = { approve_with: await approvalWays(session) };
  throw new ApiError(
    "approval_required",
    "Nothing was changed yet. Approve it with a key or an address that you sign in with, then ask again.",
    { details },
  );
}

async function approvalWays({ userId, credential }: BrowserSession): Promise<ApprovalWay[]> {
  const credentials = await listCredentials(userId);
  const ownFirst = credentials.toSorted(
    (a, b) => Number(b.value === credential) - Number(a.value === credential),
  );
  return [...new Set(ownFirst.map(({ kind }) => kind))];
}
