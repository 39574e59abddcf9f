import { LOGIN_SESSION_IDLE_SECONDS } from "../../protocol/numbers.ts";
import { addSeconds } from "../../protocol/time.ts";
import { endingSessions } from "../../store/browser-session.ts";
import { type Database, startedInTime, statement } from "../../store/database.ts";
import type { Redemption } from "../../store/redeem-login.ts";

/** The two statements that decide who gets an account: one chooses the new key, one puts the recovery into effect. */

const CHOOSE = statement({
  name: "choose-recovering-key",
  with: `answered AS (
    -- Locked in this order, as by whoever takes the login back: one of the two waits, and sees what the other did.
    SELECT recovery.id, login.sid, login.credential, login.flow
    FROM recovery JOIN login_session AS login ON login.recovers = recovery.id
    WHERE recovery.secret_hash = $2::bytea AND recovery.expires_at > $1::timestamptz
      AND recovery.takes_effect_at IS NULL AND recovery.cancelled_at IS NULL
      AND login.sid = $3::text AND login.browser_hash = $4::bytea
      AND login.status = 'authenticated' AND login.redeemed_at IS NULL AND login.authenticated_at > $5::timestamptz
      AND EXISTS (SELECT 1 FROM recovery_code WHERE recovery_code.id = recovery.code_id)
      -- A key that opens an account by now is not taken over.
      AND NOT EXISTS (SELECT 1 FROM credential WHERE value = login.credential)
      AND ${startedInTime("$1")}
    FOR UPDATE OF recovery, login
  ), chosen AS (
    UPDATE recovery SET credential = answered.credential, takes_effect_at = $6::timestamptz, user_agent = $7::text,
      kind = (CASE answered.flow WHEN 'fast' THEN 'address' ELSE 'public_key' END)::credential_kind
    FROM answered WHERE recovery.id = answered.id
    RETURNING recovery.id, recovery.user_id, recovery.credential, recovery.user_agent, answered.sid
  ), redeemed AS (
    -- While the recovery waits, its answer signs nobody in.
    UPDATE login_session SET redeemed_at = $1::timestamptz FROM chosen
    WHERE login_session.sid = chosen.sid AND $6::timestamptz > $1::timestamptz
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, credential, user_agent)
    SELECT $1::timestamptz, 'recovery_pending', user_id, credential, user_agent FROM chosen
    WHERE $6::timestamptz > $1::timestamptz
  )`,
  select: `SELECT id, user_id AS "userId" FROM chosen`,
});

/**
 * Chooses the key that answered a recovery's code, for the browser that holds both secrets; once.
 * @returns the ids of the recovery and of its user; null when there is nothing to choose
 * @throws a unique violation when another recovery of the user is pending
 */
export async function chooseKey(
  database: Database,
  input: Pick<Redemption, "now" | "sid" | "browserHash" | "userAgent"> & {
    secretHash: Uint8Array;
    takesEffectAt: Date;
  },
): Promise<{ id: string; userId: number } | null> {
  const { now, secretHash, sid, browserHash, takesEffectAt, userAgent } = input;
  const answeredSince = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const values = [now, secretHash, sid, browserHash, answeredSince, takesEffectAt, userAgent];
  return (await database.run<{ id: string; userId: number }>(CHOOSE, values))[0] ?? null;
}

const TAKE_EFFECT = statement({
  name: "take-effect",
  with: `due AS (
    -- Locked, so that whoever cancels was first, or comes too late.
    SELECT id, user_id, code_id, kind, credential, user_agent FROM recovery
    WHERE id = $2::uuid AND takes_effect_at <= $1::timestamptz AND finished_at IS NULL AND cancelled_at IS NULL
      AND ${startedInTime("$1")}
    FOR UPDATE
  ), spent AS (
    -- Of recoveries with one code, one deletes it.
    DELETE FROM recovery_code USING due WHERE recovery_code.id = due.code_id
    RETURNING due.id, due.user_id, due.kind, due.credential, due.user_agent
  ), finished AS (
    UPDATE recovery SET finished_at = $1::timestamptz FROM spent WHERE recovery.id = spent.id
  ), too_late AS (
    UPDATE recovery SET cancelled_at = $1::timestamptz FROM due
    WHERE recovery.id = due.id AND NOT EXISTS (SELECT 1 FROM spent)
  ), marked AS (
    UPDATE credential SET before_recovery_at = $1::timestamptz FROM spent WHERE credential.user_id = spent.user_id
  ), bound AS (
    -- Its holder may have been tricked into answering: elsewhere its first sign-in asks them (redeemStatements).
    INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session)
    SELECT gen_random_uuid(), user_id, kind, credential, $1::timestamptz, COALESCE($7::uuid, id) FROM spent
  ), ordinary AS (
    -- The answer is a login of the account's from now on: the browser that recovers redeems it as any other.
    UPDATE login_session AS login SET recovers = NULL FROM spent
    WHERE login.recovers = spent.id AND login.credential = spent.credential AND login.browser_hash = $5::bytea
  ), ${endingSessions("(SELECT user_id FROM spent)")}, told AS (
    INSERT INTO login_event (at, kind, user_id, credential, user_agent)
    SELECT $1::timestamptz, 'recovered', user_id, credential, user_agent FROM spent
  )`,
  select: `SELECT user_id AS "userId" FROM spent`,
});

/**
 * Adds the chosen key to its account and spends the code, in one statement. Ends the user's browser sessions, and the
 * logins that their keys answered in browsers other than the one that recovers; marks the ways in from before.
 * @param input.browserHash of the secret in the cookie of the browser that recovers; null if it is not there
 * @param input.sessionId of the browser session that this browser gets
 * @returns the user; null when it is not due, was cancelled, or has taken effect
 * @throws a unique violation when the key now opens another account: nothing has changed
 */
export async function takeEffect(
  database: Database,
  input: { now: Date; id: string; browserHash: Uint8Array | null; sessionId: string | null },
): Promise<{ userId: number } | null> {
  const { now, id, browserHash, sessionId } = input;
  const values = [now, id, null, "revoked", browserHash, false, sessionId];
  return (await database.run<{ userId: number }>(TAKE_EFFECT, values))[0] ?? null;
}

const MARK = statement({
  name: "mark-ways-before",
  with: `marked AS (
    UPDATE credential SET before_recovery_at = recovery.finished_at FROM recovery
    WHERE recovery.id = $1::uuid AND recovery.finished_at IS NOT NULL AND credential.user_id = recovery.user_id
      AND credential.value <> recovery.credential AND credential.before_recovery_at IS NULL
  )`,
  select: "SELECT 1 AS done",
});

/**
 * Marks a way in that a browser session was adding at the moment at which the recovery took effect: `takeEffect` waited
 * for it, but did not see it.
 */
export async function markWaysBefore(database: Database, id: string): Promise<void> {
  await database.run(MARK, [id]);
}

const CLAIM = statement({
  name: "claim-recovered-key",
  with: `claimed AS (
    UPDATE credential SET added_by_session = $4::uuid FROM recovery, login_session AS login
    WHERE recovery.secret_hash = $1::bytea AND recovery.finished_at IS NOT NULL
      AND credential.added_by_session = recovery.id AND credential.user_id = recovery.user_id
      AND login.sid = $2::text AND login.browser_hash = $3::bytea AND login.credential = credential.value
      AND login.status = 'authenticated' AND login.redeemed_at IS NULL
    RETURNING 1
  )`,
  select: "SELECT count(*)::int AS count FROM claimed",
});

/**
 * Gives a recovered key to the browser that recovered, when it first signs in there after a delay: this browser is not
 * asked about it (docs/protocol.md#45-added-keys). Other browsers are asked as before.
 * @param input.browserSessionId of the browser session that the sign-in opens
 */
export async function claimRecoveredKey(
  database: Database,
  input: Pick<Redemption, "sid" | "browserHash" | "browserSessionId"> & { secretHash: Uint8Array },
): Promise<void> {
  const { secretHash, sid, browserHash, browserSessionId } = input;
  await database.run(CLAIM, [secretHash, sid, browserHash, browserSessionId]);
}

const FIND_DUE = statement({
  name: "find-due-recoveries",
  select: `SELECT id FROM recovery
    WHERE takes_effect_at <= $1::timestamptz AND finished_at IS NULL AND cancelled_at IS NULL
    ORDER BY takes_effect_at LIMIT 100`,
});

/** The ids of due recoveries, the earliest first; a hundred at most. */
export async function findDueRecoveries(database: Database, now: Date): Promise<string[]> {
  return (await database.run<{ id: string }>(FIND_DUE, [now])).map(({ id }) => id);
}

const GIVE_UP = statement({
  name: "give-up-recovery",
  with: `given_up AS (
    UPDATE recovery SET cancelled_at = $1::timestamptz
    WHERE id = $2::uuid AND finished_at IS NULL AND cancelled_at IS NULL
    RETURNING id, user_id, credential, user_agent
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $1::timestamptz, 'recovery_cancelled', user_id, 'credential_taken', credential, user_agent FROM given_up
  )`,
  select: `SELECT user_id AS "userId" FROM given_up`,
});

/**
 * Cancels a recovery whose key now opens another account. Its code works as before.
 * @returns the recovery's user; null when it was over already
 */
export async function giveUpRecovery(
  database: Database,
  id: string,
  now: Date,
): Promise<{ userId: number } | null> {
  return (await database.run<{ userId: number }>(GIVE_UP, [now, id]))[0] ?? null;
}
