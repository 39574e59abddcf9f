import "server-only";
import type { ApprovalDetails, ApprovalWay } from "#lib/contracts/approval.ts";
import { APPROVAL_SECONDS } from "#lib/contracts/limits.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import type { BrowserSessionRow } from "#lib/store/browser-session.ts";
import { listCredentials } from "#lib/store/credential.ts";

/**
 * Lets a browser do what would outlive its session only while an approval by one of the user's keys is fresh: the
 * sign-in, or an answer to a code with `intent=approve`. A stolen session alone is not the account (contract 3).
 * @throws {ApiError} 403 `approval_required`, whose details say what the user can approve with
 */
export async function requireApproval(session: BrowserSessionRow): Promise<void> {
  const approvedAt = session.approvedAt ?? session.createdAt;
  if (approvedAt >= plusSeconds(now(), -APPROVAL_SECONDS)) return;
  const details: ApprovalDetails = { approve_with: await approvalWays(session) };
  throw new ApiError(
    "approval_required",
    "Nothing was changed yet. Approve it with a key or an address that you sign in with, then ask again.",
    { details },
  );
}

async function approvalWays({ userId, credential }: BrowserSessionRow): Promise<ApprovalWay[]> {
  const credentials = await listCredentials(userId);
  const ownFirst = credentials.toSorted(
    (a, b) => Number(b.value === credential) - Number(a.value === credential),
  );
  return [...new Set(ownFirst.map(({ kind }) => kind))];
}
