import "server-only";
import { plusSeconds } from "#lib/platform/clock.ts";
import { runPrepared } from "#lib/platform/database/db.ts";
import { NOT_AWAITED } from "#lib/platform/http/limit-counters.ts";
import type { RequestLimit } from "#lib/platform/http/rate-limit.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { begunInTime } from "./begun-in-time.ts";
import { countedStatement } from "./counted-statement.ts";

/** A login session's state, and its end: the signed-in browser that is made of it. */

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

/** What a login is redeemed with: the browser that holds the secret, and the browser session that it gets. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array<ArrayBuffer>;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
};

const REDEEM = {
  name: "redeem-login",
  text: `WITH redeemed AS (
    UPDATE login_session SET redeemed_at = $1::timestamptz
    WHERE sid = $2::text AND flow = 'integrator' AND browser_hash = $3::bytea AND status = 'authenticated'
      AND redeemed_at IS NULL AND adds_to_session IS NULL AND approves_session IS NULL AND authenticated_at > $4::timestamptz
      AND ${begunInTime("$1")}
    RETURNING user_id, credential, device_info
  ), opened AS (
    INSERT INTO browser_session
      (id, user_id, credential, device_info, user_agent, created_at, last_seen_at, expires_at)
    SELECT $5::uuid, user_id, credential, device_info, $6::text, $1::timestamptz, $1::timestamptz, $7::timestamptz
    FROM redeemed
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent)
    SELECT $1::timestamptz, 'session_created', $2::text, user_id, credential, device_info, $6::text FROM redeemed
  )
  SELECT user_id FROM redeemed`,
};

/**
 * Redeems an authenticated login for a signed-in browser, once, for the browser that holds the secret: one
 * statement ends the login and opens the browser session (contract 3).
 * @returns the user, or null when there is nothing for this browser to redeem
 */
export async function redeemLogin(redemption: Redemption): Promise<{ userId: number } | null> {
  const { now, sid, browserHash, browserSessionId, expiresAt, userAgent } = redemption;
  const since = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const values = [now, sid, browserHash, since, browserSessionId, userAgent, expiresAt];
  const [row] = await runPrepared<{ user_id: number }>(REDEEM, values);
  return row ? { userId: row.user_id } : null;
}
