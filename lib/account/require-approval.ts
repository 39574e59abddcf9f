import "server-only";
import { type Asker, requireApproval as requireApprovalOf } from "#lib/approval/asker.ts";
import type { ApprovalWay } from "#lib/approval/details.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { loginCore } from "#lib/platform/login.ts";
import { listCredentials } from "./store/credential.ts";

/**
 * The signed-in browser of a request, if its sign-in is a fresh approval (docs/protocol.md#44-approval).
 * @throws {Refusal} 401 when nobody is signed in; 403 `approval_required`, whose details say what the user can approve with
 */
export function requireApproval({ headers }: { headers: SentHeaders }): Promise<Asker> {
  return requireApprovalOf(loginCore(), headers, approvalWays);
}

/** What a user can approve with: first what signed this browser in. */
export async function approvalWays({ userId, credential }: BrowserSession): Promise<ApprovalWay[]> {
  const credentials = await listCredentials(userId);
  const ownFirst = credentials.toSorted(
    (a, b) => Number(b.value === credential) - Number(a.value === credential),
  );
  return [...new Set(ownFirst.map(({ kind }) => kind))];
}
