import type { ApprovalDetails, ApprovalMethod } from "../../client/fetch-json.ts";
import type { Database, Statement } from "../../database/database.ts";
import { type Refusal, refusal } from "../../protocol/errors.ts";
import { APPROVAL_SECONDS, addSeconds } from "../../protocol/numbers.ts";
import type { BrowserSession } from "../../server/browser-session.ts";
import { currentSession } from "../../server/browser-session.ts";
import type { LoginCore } from "../../server/core.ts";
import { type RequestHeaders, readUserAgent } from "../../server/web-request.ts";

export type Requester = {
  now: Date;
  sessionId: string;
  userId: number;
  /** May belong to a browser other than the one that signed in. */
  userAgent: string | null;
};

/** @throws {Refusal} 401 */
export async function requireRequester(core: LoginCore, headers: RequestHeaders): Promise<Requester> {
  const session = await currentSession(core, headers);
  if (!session) throw notSignedInRefusal();
  return askerOf(core, session, headers);
}

/**
 * The browser's sign-in must be at most ten minutes old, so that a stolen session is not enough to change the account
 * permanently. An approval is a sign-in, too: the answer to a code with `intent=approve` opens a new session and ends
 * the current one (docs/protocol.md#44-approval).
 *
 * The SQL function of each change checks the session and the approval again (`asking_session`).
 * @throws {Refusal} 401 without a session; 403 `approval_required`, whose details list the sign-in methods that can
 * approve the change
 */
export async function requireApproval(core: LoginCore, headers: RequestHeaders): Promise<Requester> {
  const session = await currentSession(core, headers);
  if (!session) throw notSignedInRefusal();
  if (!hasRecentSignIn(session, core.now())) {
    const details: ApprovalDetails = { approve_with: await findApprovalMethods(core.database, session) };
    throw refusal(
      "approval_required",
      "Nothing has been changed yet. Approve the change with a wallet or an address that you sign in with, then try again.",
      { details },
    );
  }
  return askerOf(core, session, headers);
}

export function hasRecentSignIn({ createdAt }: BrowserSession, now: Date): boolean {
  return createdAt >= addSeconds(now, -APPROVAL_SECONDS);
}

export function notSignedInRefusal(): Refusal {
  return refusal("not_signed_in", "Sign in first.");
}

function askerOf(core: LoginCore, { id, userId }: BrowserSession, headers: RequestHeaders): Requester {
  return { now: core.now(), sessionId: id, userId, userAgent: readUserAgent(headers) };
}

const FIND_WAYS: Statement = {
  name: "approval-ways",
  text: `SELECT kind FROM credential WHERE user_id = $1::int
    GROUP BY kind ORDER BY bool_or(value = $2::text) DESC, min(created_at)`,
};

/** The method that this browser used comes first. */
export async function findApprovalMethods(
  database: Database,
  { userId, credential }: { userId: number; credential: string },
): Promise<ApprovalMethod[]> {
  const rows = await database.run<{ kind: ApprovalMethod }>(FIND_WAYS, [userId, credential]);
  return rows.map(({ kind }) => kind);
}
