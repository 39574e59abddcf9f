import "server-only";
import type { DeviceInfo } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS, LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db, runPrepared } from "#lib/core/db.ts";
import { NOT_AWAITED, type RequestLimit } from "#lib/core/http/rate-limit.ts";
import { countedStatement } from "./counted-statement.ts";

/**
 * The queries on login sessions and their challenges. What decides who is signed in is one statement each, so
 * that it happens whole or not at all, once, whatever else runs beside it.
 */

/** The channel on which PostgreSQL tells every process that a login session changed. */
export const LOGIN_CHANNEL = "login_session";

/** A change told on `LOGIN_CHANNEL`: a new status, or a delivery that was refused. */
export type LoginNotice = { sid: string; refused?: string };

/** What tells one flow's sessions from another's when a challenge is issued. */
export type IssuingFlow = {
  name: "integrator" | "fast";
  /** Older challenges of the session are deleted beyond this many; null keeps them to their own end. */
  challengesKept: number | null;
  /** True where a session that a wallet has answered gets no new challenge, and is not followed by a new one. */
  endsWhenAnswered: boolean;
};

// Not waited for until it is on disk: should the database lose its power now, the code is asked for again. Whatever
// is written after it, the delivery above all, takes it along.
const ISSUE = countedStatement<{ sid: string; keeps_secret: boolean; answered: boolean }>(
  "issue-challenge",
  `, renewed AS (
    UPDATE login_session SET status = 'pending',
      challenged_at = GREATEST($3::timestamptz, challenged_at + interval '1 millisecond')
    WHERE sid = $4::text AND flow = $10::flow AND browser_hash = $5::bytea AND status <> 'authenticated'
      AND adds_to_session IS NOT DISTINCT FROM $11::uuid
      AND challenged_at > $6::timestamptz AND (SELECT within FROM counted)
    RETURNING sid, challenged_at
  ), answered AS (
    SELECT sid FROM login_session
    WHERE $13::boolean AND sid = $4::text AND flow = $10::flow AND browser_hash = $5::bytea
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $6::timestamptz
      AND adds_to_session IS NOT DISTINCT FROM $11::uuid
  ), browser AS (
    SELECT EXISTS (
      SELECT 1 FROM login_session WHERE browser_hash = $5::bytea AND challenged_at > $6::timestamptz
    ) AS known
  ), created AS (
    INSERT INTO login_session (sid, flow, browser_hash, created_at, challenged_at, adds_to_session)
    SELECT $7::text, $10::flow, CASE WHEN known THEN $5::bytea ELSE $8::bytea END, $3::timestamptz, $3::timestamptz,
      $11::uuid
    FROM browser, counted
    WHERE within AND NOT EXISTS (SELECT 1 FROM renewed) AND NOT EXISTS (SELECT 1 FROM answered)
    RETURNING sid, challenged_at
  ), session AS (
    SELECT * FROM renewed UNION ALL SELECT * FROM created
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) SELECT $9::text, sid, challenged_at FROM session
  ), trimmed AS (
    DELETE FROM challenge WHERE $12::int IS NOT NULL AND sid = (SELECT sid FROM renewed) AND text NOT IN (
      SELECT text FROM challenge WHERE sid = (SELECT sid FROM renewed) ORDER BY issued_at DESC LIMIT $12::int
    )
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) SELECT $3::timestamptz, 'issued', sid FROM session
  )
  SELECT count, reset_ms, COALESCE(session.sid, answered.sid) AS sid,
    known OR answered.sid IS NOT NULL AS keeps_secret, answered.sid IS NOT NULL AS answered,
    ${NOT_AWAITED}
  FROM counted CROSS JOIN browser LEFT JOIN session ON true LEFT JOIN answered ON true`,
);

/**
 * Issues a challenge: for the live session `sid` of this browser, else for a new session. The browser's secret is
 * kept while a session of its own still lives, else replaced, so that no secret is adopted that we did not make.
 * A session's challenges are never issued at one instant, so that which of them are the last is never in doubt.
 * Counts the request.
 * @param input.limit the request's; null where it has been counted
 * @param input.addsToSession the signed-in browser that wants a credential added; a session keeps to it
 * @returns the session's sid, and whether the browser keeps its present secret; `answered` when it was answered
 *   and no challenge was issued
 * @throws {ApiError} 429 when the limit is used up
 */
export async function issueChallenge(input: {
  limit: RequestLimit | null;
  now: Date;
  flow: IssuingFlow;
  challenge: string;
  sid: string | null;
  newSid: string;
  browserHash: Uint8Array<ArrayBuffer> | null;
  newBrowserHash: Uint8Array<ArrayBuffer>;
  addsToSession: string | null;
}): Promise<{ sid: string; keepsSecret: boolean; answered: boolean }> {
  const { limit, now, flow, challenge, sid, newSid, browserHash, newBrowserHash, addsToSession } = input;
  const liveSince = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const othersKept = flow.challengesKept === null ? null : flow.challengesKept - 1;
  const row = await ISSUE(limit, [
    now,
    sid,
    browserHash,
    liveSince,
    newSid,
    newBrowserHash,
    challenge,
    flow.name,
    addsToSession,
    othersKept,
    flow.endsWhenAnswered,
  ]);
  return { sid: row.sid, keepsSecret: row.keeps_secret, answered: row.answered };
}

/** A challenge as a delivery finds it, in any flow. */
export type FoundChallenge = {
  sid: string;
  issuedAt: Date;
  /** Spent, or its session is authenticated already. */
  used: boolean;
};

/** What a delivery of flow A came to. */
export type DeliveredChallenge = FoundChallenge & {
  /** The user whom the key signs in: the one who held it before, else the one whom its session adds it to. */
  userId: number | null;
  /** The delivery spent the challenge and authenticated its session. */
  spent: boolean;
};

const DELIVER = countedStatement<{
  sid: string | null;
  issued_at: Date;
  used: boolean;
  user_id: number | null;
  spent: boolean;
}>(
  "deliver-challenge",
  `, found AS (
    SELECT challenge.sid, challenge.issued_at,
      challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used,
      COALESCE(
        (SELECT user_id FROM credential WHERE value = $4::text),
        (SELECT user_id FROM browser_session WHERE id = session.adds_to_session)
      ) AS user_id
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = $3::text AND session.flow = 'integrator' AND (SELECT within FROM counted)
  ), target AS (
    SELECT challenge.text, session.sid
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = $3::text AND session.flow = 'integrator' AND (SELECT within FROM counted)
      AND $5::boolean AND ($6::boolean OR (SELECT user_id FROM found) IS NOT NULL)
      AND challenge.spent_at IS NULL AND challenge.issued_at > $8::timestamptz AND session.status <> 'authenticated'
    FOR UPDATE
  ), spent AS (
    UPDATE challenge SET spent_at = $7::timestamptz FROM target WHERE challenge.text = target.text
  ), new_user AS (
    INSERT INTO user_account (created_at)
    SELECT $7::timestamptz FROM target WHERE (SELECT user_id FROM found) IS NULL RETURNING id
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at)
    SELECT gen_random_uuid(), id, 'public_key', $4::text, $7::timestamptz FROM new_user
  ), authenticated AS (
    UPDATE login_session AS session
    SET status = 'authenticated', authenticated_at = $7::timestamptz, credential = $4::text,
      user_id = COALESCE((SELECT user_id FROM found), (SELECT id FROM new_user)), signed_at = $9::bigint,
      device_info = $10::jsonb
    FROM target WHERE session.sid = target.sid
    RETURNING session.sid, session.user_id
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info)
    SELECT $7::timestamptz, 'delivered', sid, user_id, $4::text, $10::jsonb FROM authenticated
  )
  SELECT count, reset_ms, found.sid, found.issued_at, found.used, found.user_id,
    authenticated.sid IS NOT NULL AS spent,
    CASE WHEN authenticated.sid IS NOT NULL
      THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', authenticated.sid)::text)::text END
  FROM counted LEFT JOIN found ON true LEFT JOIN authenticated ON true`,
);

/**
 * Takes a delivery to flow A in one statement, counting the request: finds the challenge by its exact text, and,
 * when the signature was found valid and the key has a user or registers, spends it and authenticates its session,
 * creating the user where there is none. Of any number of deliveries at once exactly one succeeds (contract 2).
 * @param input.signed whether the signature is the key's over the challenge: nothing is changed otherwise
 * @param input.registers whether a key without a user gets one
 * @returns what was there before, and whether this delivery spent it; null for a challenge that was not issued
 * @throws {ApiError} 429 when the limit is used up
 * @throws a unique violation when two sessions register one key at once: the second finds its user on a new try
 */
export async function deliverChallenge(input: {
  limit: RequestLimit | null;
  now: Date;
  challenge: string;
  credential: string | null;
  signed: boolean;
  registers: boolean;
  signedAt: number;
  deviceInfo: DeviceInfo | undefined;
}): Promise<DeliveredChallenge | null> {
  const { limit, now, challenge, credential, signed, registers, signedAt } = input;
  const issuedSince = plusSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const values = [challenge, credential, signed, registers, now, issuedSince, signedAt, deviceInfo];
  const row = await DELIVER(limit, values);
  if (row.sid === null) return null;
  const { sid, issued_at: issuedAt, used, user_id: userId, spent } = row;
  return { sid, issuedAt, used, userId, spent };
}

/** Marks a pending session whose valid signature came from an unknown key (contract 4), and logs it. */
export async function markUnregistered(input: { now: Date; sid: string; credential: string }): Promise<void> {
  const { now, sid, credential } = input;
  await db().$queryRaw`
    WITH marked AS (
      UPDATE login_session SET status = 'unregistered' WHERE sid = ${sid} AND status <> 'authenticated' RETURNING sid
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, credential) SELECT ${now}::timestamptz, 'unregistered', sid, ${credential} FROM marked
    )
    SELECT pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid)::text)::text FROM marked`;
}

/** Logs that a delivery to a session was refused and why; the status stays what it was. */
export async function logRefusal(input: { now: Date; sid: string; reason: string }): Promise<void> {
  const { now, sid, reason } = input;
  await db().$queryRaw`
    WITH logged AS (
      INSERT INTO login_event (at, kind, sid, reason) VALUES (${now}::timestamptz, 'refused', ${sid}, ${reason}) RETURNING sid
    )
    SELECT pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid, 'refused', ${reason}::text)::text)::text
    FROM logged`;
}

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

const REDEEM = {
  name: "redeem-login",
  text: `WITH redeemed AS (
    UPDATE login_session SET redeemed_at = $1::timestamptz
    WHERE sid = $2::text AND flow = 'integrator' AND browser_hash = $3::bytea AND status = 'authenticated'
      AND redeemed_at IS NULL AND adds_to_session IS NULL AND authenticated_at > $4::timestamptz
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
export async function redeemLogin(input: {
  now: Date;
  sid: string;
  browserHash: Uint8Array<ArrayBuffer>;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
}): Promise<{ userId: number } | null> {
  const { now, sid, browserHash, browserSessionId, expiresAt, userAgent } = input;
  const since = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const values = [now, sid, browserHash, since, browserSessionId, userAgent, expiresAt];
  const [row] = await runPrepared<{ user_id: number }>(REDEEM, values);
  return row ? { userId: row.user_id } : null;
}
