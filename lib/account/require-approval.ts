import "server-only";
import { assertApproved } from "#lib/approval/assert-approved.ts";
import type { ApprovalWay } from "#lib/approval/details.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { listCredentials } from "./store/credential.ts";

/**
 * Asks for a fresh approval (docs/protocol.md#44-approval).
 * @throws {Refusal} 403 `approval_required`, whose details say what the user can approve with
 */
export async function requireApproval(session: BrowserSession): Promise<void> {
  await assertApproved(session, now(), approvalWays);
}

async function approvalWays({ userId, credential }: BrowserSession): Promise<ApprovalWay[]> {
  const credentials = await listCredentials(userId);
  const ownFirst = credentials.toSorted(
    (a, b) => Number(b.value === credential) - Number(a.value === credential),
  );
  return [...new Set(ownFirst.map(({ kind }) => kind))];
}
