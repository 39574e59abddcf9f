import "server-only";
import { NOT_AWAITED } from "#lib/core/http/limit-counters.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { countedStatement } from "./counted-statement.ts";

/** A login session's state. */

/** What the status of a login session is read from. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
};

const FIND_SESSION = countedStatement<{
  status: LoginSessionState["status"] | null;
  user_id: number | null;
  challenged_at: Date;
  browser_hash: Uint8Array | null;
}>(
  "find-login-session",
  ` SELECT count, reset_ms, session.status, session.user_id, session.challenged_at, session.browser_hash, ${NOT_AWAITED}
  FROM counted LEFT JOIN login_session AS session
    ON within AND session.sid = $3::text AND session.flow = 'integrator'`,
);

/**
 * The state of a session, or null for a sid that the server did not make (or has deleted). Counts the request.
 * @throws {ApiError} 429 when the limit is used up
 */
export async function findLoginSession(
  sid: string,
  limit: RequestLimit | null,
): Promise<LoginSessionState | null> {
  const row = await FIND_SESSION(limit, [sid]);
  if (row.status === null) return null;
  const { status, user_id: userId, challenged_at: challengedAt, browser_hash: browserHash } = row;
  return { status, userId, challengedAt, browserHash };
}
