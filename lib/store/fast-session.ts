import "server-only";
import { FAST_CHALLENGE_LIFETIME_SECONDS, FAST_CHALLENGES_KEPT } from "#lib/contracts/limits.ts";
import type { Intent } from "#lib/contracts/qr-data.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db, runPrepared } from "#lib/core/db.ts";
import { NOT_AWAITED } from "#lib/core/http/limit-counters.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { begunInTime } from "./begun-in-time.ts";
import type { FoundChallenge } from "./challenge-delivery.ts";
import { countedStatement } from "./counted-statement.ts";
import { LOGIN_CHANNEL } from "./login-notices.ts";

/** The queries on sessions of flow C, where they differ from every login session's. */

const FIND_CHALLENGE = countedStatement<{
  sid: string | null;
  issued_at: Date;
  adds: boolean;
  approves: boolean;
  used: boolean;
}>(
  "find-fast-challenge",
  ` SELECT count, reset_ms, challenge.sid, challenge.issued_at, session.adds_to_session IS NOT NULL AS adds,
    session.approves_session IS NOT NULL AS approves,
    challenge.spent_at IS NOT NULL OR session.status = 'authenticated' OR (
      SELECT count(*) FROM challenge AS newer
      WHERE newer.sid = challenge.sid AND newer.issued_at > challenge.issued_at
    ) >= ${FAST_CHALLENGES_KEPT} AS used
  FROM counted LEFT JOIN (challenge JOIN login_session AS session USING (sid))
    ON within AND challenge.text = $4::text AND challenge.sid = $3::text AND session.flow = 'fast'
    AND (COALESCE(session.adds_to_session, session.approves_session) IS NULL OR EXISTS (
      SELECT 1 FROM browser_session
      WHERE id = COALESCE(session.adds_to_session, session.approves_session) AND expires_at > $5::timestamptz
    ))`,
);

/**
 * Finds a challenge in a session's list by its exact text (specification 4.3, rule 3). One that four newer have
 * followed counts as used: it is off the list, even if two requests at once have left it in the table. A code
 * to add or to approve ends with the browser session that asked for it. Counts the request.
 * @throws {ApiError} 429 when the limit is used up
 */
export async function findFastChallenge(input: {
  limit: RequestLimit | null;
  now: Date;
  sid: string;
  text: string;
}): Promise<(FoundChallenge & { intent: Intent | null }) | null> {
  const { limit, now, sid, text } = input;
  const row = await FIND_CHALLENGE(limit, [sid, text, now]);
  if (row.sid === null) return null;
  return {
    sid: row.sid,
    issuedAt: row.issued_at,
    used: row.used,
    intent: row.approves ? "approve" : row.adds ? "add" : null,
  };
}

const SPEND = {
  name: "spend-fast-challenge",
  text: `WITH asked AS (
    SELECT approves_session FROM login_session WHERE sid = $2::text
  ), approver AS (
    -- Locked, so that no address approves that is being removed.
    SELECT 1 FROM credential JOIN browser_session AS session USING (user_id)
    WHERE credential.value = $4::text AND session.id = (SELECT approves_session FROM asked)
      AND session.expires_at > $1::timestamptz
    FOR SHARE OF credential
  ), target AS (
    SELECT challenge.text, session.sid, session.approves_session
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = $3::text AND session.sid = $2::text AND session.flow = 'fast'
      AND challenge.spent_at IS NULL AND session.status <> 'authenticated' AND challenge.issued_at > $5::timestamptz
      AND (session.approves_session IS NULL OR EXISTS (SELECT 1 FROM approver))
      AND ${begunInTime("$1")}
    FOR UPDATE OF session, challenge
  ), spent AS (
    UPDATE challenge SET spent_at = $1::timestamptz FROM target WHERE challenge.text = target.text
  ), authenticated AS (
    UPDATE login_session AS session
    SET status = 'authenticated', authenticated_at = $1::timestamptz, credential = $4::text,
      user_id = (SELECT user_id FROM credential WHERE value = $4::text)
    FROM target WHERE session.sid = target.sid
    RETURNING session.sid, session.user_id, session.approves_session
  ), approved AS (
    UPDATE browser_session SET approved_at = $1::timestamptz FROM target
    WHERE browser_session.id = target.approves_session
    RETURNING browser_session.user_agent
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
    SELECT $1::timestamptz, (CASE WHEN approves_session IS NULL THEN 'delivered' ELSE 'approved' END)::login_event_kind,
      sid, user_id, $4::text, (SELECT user_agent FROM approved)
    FROM authenticated
  )
  SELECT authenticated.sid IS NOT NULL AS spent,
    asked.approves_session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM approver) AS foreign_key,
    CASE WHEN authenticated.sid IS NOT NULL
      THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', authenticated.sid)::text)::text END
  FROM asked LEFT JOIN authenticated ON true`,
};

/**
 * Spends a challenge and stores the address on its session (specification 4.3, rule 3): one statement, so that of
 * any number of deliveries at once exactly one succeeds (contract 2). Where the session asks for an approval, it is
 * spent by an address of that user alone, and the approval stands on the browser session from then on.
 * @param input.address in canonical form
 * @returns `used` when the challenge was spent or too old, or its session authenticated, by then
 */
export async function spendFastChallenge(input: {
  now: Date;
  sid: string;
  challenge: string;
  address: string;
}): Promise<"accepted" | "used" | "foreign_key"> {
  const { now, sid, challenge, address } = input;
  const issuedSince = plusSeconds(now, -FAST_CHALLENGE_LIFETIME_SECONDS);
  const values = [now, sid, challenge, address, issuedSince];
  const [row] = await runPrepared<{ spent: boolean; foreign_key: boolean }>(SPEND, values);
  if (row?.spent) return "accepted";
  return row?.foreign_key ? "foreign_key" : "used";
}

const FIND_ADDRESS = countedStatement<{ authenticated: boolean }>(
  "find-fast-address",
  ` SELECT count, reset_ms, COALESCE(session.status = 'authenticated', false) AS authenticated, ${NOT_AWAITED}
  FROM counted LEFT JOIN login_session AS session ON within AND session.sid = $3::text AND session.flow = 'fast'`,
);

/**
 * Whether a session has an address (specification 4.3, rule 4); false for one that is not there. Counts the request.
 * @throws {ApiError} 429 when the limit is used up
 */
export async function hasFastAddress(sid: string, limit: RequestLimit | null): Promise<boolean> {
  return (await FIND_ADDRESS(limit, [sid])).authenticated;
}

/** True when this browser may redeem the session, but its address has no user and none is to be made. */
export async function isFastAddressUnknown(
  sid: string,
  browserHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const rows = await db().$queryRaw<{ unknown: boolean }[]>`
    SELECT NOT EXISTS (SELECT 1 FROM credential WHERE value = session.credential) AS unknown
    FROM login_session AS session
    WHERE sid = ${sid} AND flow = 'fast' AND browser_hash = ${browserHash} AND status = 'authenticated'
      AND redeemed_at IS NULL AND adds_to_session IS NULL AND approves_session IS NULL`;
  return rows[0]?.unknown ?? false;
}
