import type { RefusalReason } from "../protocol/errors.ts";
import type { DeviceInfo } from "../protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";
import { type Database, LOGIN_CHANNEL, startedInTime, statement } from "./database.ts";

/** A challenge as a wallet response finds it, in any flow. */
export type FoundChallenge = {
  sid: string;
  issuedAt: Date;
  /** Spent, or its session is authenticated already. */
  used: boolean;
};

/** What became of a response to a login's challenge. */
export type SpentChallenge = FoundChallenge & {
  /** The user whom the key signs in: who holds it, else whom its session adds it to. */
  userId: number | null;
  /** The key may not answer the code: it is not one of the approving user's, or has an account and is to recover one. */
  foreignKey: boolean;
  /** This response spent the challenge and authenticated its session. */
  spent: boolean;
};

const FIND_AND_SPEND = statement({
  name: "find-and-spend-challenge",
  with: `found AS (
    SELECT challenge.sid, challenge.issued_at,
      challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used,
      COALESCE(holder.user_id, recovery.user_id,
        CASE WHEN session.adds_to_session IS NOT NULL THEN asking.user_id END) AS user_id,
      CASE WHEN session.approves_session IS NOT NULL THEN asking.user_id END AS approver_id,
      session.recovers IS NOT NULL AND holder.user_id IS NOT NULL AS is_taken
    FROM challenge JOIN login_session AS session USING (sid)
      LEFT JOIN credential AS holder ON holder.value = $2::text
      LEFT JOIN browser_session AS asking ON asking.expires_at > $5::timestamptz
        AND asking.id = COALESCE(session.adds_to_session, session.approves_session)
      LEFT JOIN recovery ON recovery.id = session.recovers AND recovery.expires_at > $5::timestamptz
    WHERE challenge.text = $1::text AND session.flow = 'login'
      -- A code with an intent ends with the browser session, or the recovery, that asked for it.
      AND COALESCE(session.adds_to_session, session.approves_session, session.recovers)
        IS NOT DISTINCT FROM COALESCE(asking.id, recovery.id)
  ), approver AS (
    -- Locked, so that no key approves that is being removed.
    SELECT 1 FROM credential WHERE value = $2::text AND user_id = (SELECT approver_id FROM found) FOR SHARE
  ), target AS (
    SELECT challenge.text, session.sid, session.approves_session
    FROM challenge JOIN login_session AS session USING (sid)
    WHERE challenge.text = $1::text AND session.sid = (SELECT sid FROM found)
      AND $3::boolean AND ($4::boolean OR (SELECT user_id FROM found) IS NOT NULL)
      AND ((SELECT approver_id FROM found) IS NULL OR EXISTS (SELECT 1 FROM approver))
      AND NOT (SELECT is_taken FROM found)
      AND challenge.spent_at IS NULL AND challenge.issued_at > $6::timestamptz AND session.status <> 'authenticated'
      AND ${startedInTime("$5")}
    -- The session first, as whoever deletes it locks it before its challenges.
    FOR UPDATE OF session, challenge
  ), spent AS (
    UPDATE challenge SET spent_at = $5::timestamptz FROM target WHERE challenge.text = target.text
  ), new_user AS (
    INSERT INTO user_account (created_at)
    SELECT $5::timestamptz FROM target WHERE (SELECT user_id FROM found) IS NULL RETURNING id
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at)
    SELECT gen_random_uuid(), id, 'public_key', $2::text, $5::timestamptz FROM new_user
  ), authenticated AS (
    UPDATE login_session AS session
    SET status = 'authenticated', authenticated_at = $5::timestamptz, credential = $2::text,
      user_id = COALESCE((SELECT user_id FROM found), (SELECT id FROM new_user)), signed_at = $7::bigint,
      device_info = $8::jsonb
    FROM target WHERE session.sid = target.sid
    RETURNING session.sid, session.user_id, session.approves_session
  ), approved AS (
    UPDATE browser_session SET approved_at = $5::timestamptz FROM target
    WHERE browser_session.id = target.approves_session
    RETURNING browser_session.user_agent
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent)
    SELECT $5::timestamptz, (CASE WHEN approves_session IS NULL THEN 'delivered' ELSE 'approved' END)::login_event_kind,
      sid, user_id, $2::text, $8::jsonb, (SELECT user_agent FROM approved)
    FROM authenticated
  )`,
  select: `SELECT found.sid, found.issued_at AS "issuedAt", found.used, found.user_id AS "userId",
      found.is_taken OR found.approver_id IS NOT NULL AND found.user_id IS DISTINCT FROM found.approver_id AS "foreignKey",
      authenticated.sid IS NOT NULL AS spent,
      CASE WHEN authenticated.sid IS NOT NULL
        THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', authenticated.sid)::text)::text END
    FROM found LEFT JOIN authenticated ON true`,
  durable: true,
});

/**
 * Finds a challenge by its exact text and, when the signature is valid and the key has a user or registers, spends it
 * and authenticates its session, creating the user where there is none: one statement, so that of any number of
 * responses at once exactly one succeeds (docs/protocol.md#11-challenge).
 * @param input.signed whether the signature is the key's over the challenge; nothing is changed otherwise
 * @param input.registers whether a key without a user gets one
 * @returns what was there before, and whether this response spent it; null for a challenge that was not issued
 * @throws a unique violation when two sessions register one key at once: the second finds its user on a new try
 */
export async function findAndSpendChallenge(
  database: Database,
  input: {
    now: Date;
    challenge: string;
    credential: string | null;
    signed: boolean;
    registers: boolean;
    signedAt: number;
    deviceInfo: DeviceInfo | undefined;
  },
): Promise<SpentChallenge | null> {
  const { now, challenge, credential, signed, registers, signedAt } = input;
  const issuedSince = plusSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const values = [challenge, credential, signed, registers, now, issuedSince, signedAt, deviceInfo];
  return (await database.run<SpentChallenge>(FIND_AND_SPEND, values))[0] ?? null;
}

const MARK_UNREGISTERED = statement({
  name: "mark-unregistered",
  with: `marked AS (
    UPDATE login_session SET status = 'unregistered' WHERE sid = $2::text AND status <> 'authenticated' RETURNING sid
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, credential)
    SELECT $1::timestamptz, 'unregistered', sid, $3::text FROM marked
  )`,
  select: `SELECT pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid)::text)::text FROM marked`,
  durable: true,
});

/** Marks a pending session whose valid response came from an unknown key, and records it. */
export async function markUnregistered(
  database: Database,
  { now, sid, credential }: { now: Date; sid: string; credential: string },
): Promise<void> {
  await database.run(MARK_UNREGISTERED, [now, sid, credential]);
}

const RECORD_REFUSAL = statement({
  name: "record-refusal",
  with: `logged AS (
    INSERT INTO login_event (at, kind, sid, reason) VALUES ($1::timestamptz, 'refused', $2::text, $3::text) RETURNING sid
  )`,
  select: `SELECT pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid, 'refused', $3::text)::text)::text
    FROM logged`,
  durable: true,
});

/** Records that a response to a session was refused, and why; the status stays what it was. */
export async function recordRefusal(
  database: Database,
  { now, sid, reason }: { now: Date; sid: string; reason: RefusalReason },
): Promise<void> {
  await database.run(RECORD_REFUSAL, [now, sid, reason]);
}
