import "server-only";
import type { DeviceInfo } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { begunInTime } from "./begun-in-time.ts";
import { countedStatement } from "./counted-statement.ts";
import { LOGIN_CHANNEL } from "./login-notices.ts";

/**
 * Deliveries of signed challenges. What decides who is signed in is one statement, so that it happens whole or not
 * at all, once, whatever else runs beside it.
 */

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
  /** The code asks for an approval, and the key is not one of the user who has to give it. */
  foreignKey: boolean;
  /** The delivery spent the challenge and authenticated its session. */
  spent: boolean;
};

const DELIVER = countedStatement<{
  sid: string | null;
  issued_at: Date;
  used: boolean;
  user_id: number | null;
  foreign_key: boolean;
  spent: boolean;
}>(
  "deliver-challenge",
  `, found AS (
    SELECT challenge.sid, challenge.issued_at,
      challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used,
      COALESCE(holder.user_id, CASE WHEN session.adds_to_session IS NOT NULL THEN asking.user_id END) AS user_id,
      CASE WHEN session.approves_session IS NOT NULL THEN asking.user_id END AS approver_id
    FROM challenge JOIN login_session AS session USING (sid)
      LEFT JOIN credential AS holder ON holder.value = $4::text
      LEFT JOIN browser_session AS asking
        ON asking.id = COALESCE(session.adds_to_session, session.approves_session) AND asking.expires_at > $7::timestamptz
    WHERE challenge.text = $3::text AND session.flow = 'integrator' AND (SELECT within FROM counted)
      -- A code to add or to approve ends with the browser session that asked for it.
      AND (COALESCE(session.adds_to_session, session.approves_session) IS NULL OR asking.id IS NOT NULL)
  ), approver AS (
    -- Locked, so that no key approves that is being removed.
    SELECT 1 FROM credential WHERE value = $4::text AND user_id = (SELECT approver_id FROM found) FOR SHARE
  ), target AS (
    SELECT challenge.text, session.sid, session.approves_session
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = $3::text AND session.sid = (SELECT sid FROM found)
      AND $5::boolean AND ($6::boolean OR (SELECT user_id FROM found) IS NOT NULL)
      AND ((SELECT approver_id FROM found) IS NULL OR EXISTS (SELECT 1 FROM approver))
      AND challenge.spent_at IS NULL AND challenge.issued_at > $8::timestamptz AND session.status <> 'authenticated'
      AND ${begunInTime("$7")}
    -- The session first, as whoever deletes it locks it before its challenges.
    FOR UPDATE OF session, challenge
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
    RETURNING session.sid, session.user_id, session.approves_session
  ), approved AS (
    UPDATE browser_session SET approved_at = $7::timestamptz FROM target
    WHERE browser_session.id = target.approves_session
    RETURNING browser_session.user_agent
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent)
    SELECT $7::timestamptz, (CASE WHEN approves_session IS NULL THEN 'delivered' ELSE 'approved' END)::login_event_kind,
      sid, user_id, $4::text, $10::jsonb, (SELECT user_agent FROM approved)
    FROM authenticated
  )
  SELECT count, reset_ms, found.sid, found.issued_at, found.used, found.user_id,
    COALESCE(found.user_id IS DISTINCT FROM found.approver_id AND found.approver_id IS NOT NULL, false) AS foreign_key,
    authenticated.sid IS NOT NULL AS spent,
    CASE WHEN authenticated.sid IS NOT NULL
      THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', authenticated.sid)::text)::text END
  FROM counted LEFT JOIN found ON true LEFT JOIN authenticated ON true`,
);

/**
 * Takes a delivery to flow A in one statement, counting the request: finds the challenge by its exact text, and,
 * when the signature was found valid and the key has a user or registers, spends it and authenticates its session,
 * creating the user where there is none. A code that asks for an approval is spent by a key of that user alone, and
 * the approval stands on the browser session from then on. Of any number of deliveries at once exactly one succeeds (contract 2).
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
  const { sid, issued_at: issuedAt, used, user_id: userId, foreign_key: foreignKey, spent } = row;
  return { sid, issuedAt, used, userId, foreignKey, spent };
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
