import { computeStatementDeadline, type Database, type Statement } from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../../../protocol/numbers.ts";
import type { Redemption } from "../../../server/redeem-login.ts";

/** These two steps decide who gets access to an account: choosing the new key and completing the recovery. */

const CHOOSE = sqlFunction("choose_recovering_key", [
  "secretHash",
  "loginSid",
  "browserHash",
  "userAgent",
  "takesEffectAt",
  "now",
  "answeredSince",
  "deadline",
]);

/**
 * The browser must have the secrets of both its cookies. A recovery's key can be chosen only once.
 * @returns the ids of the recovery and its user, or null if there is nothing to choose
 * @throws a unique violation if another recovery of the user is pending
 */
export async function chooseRecoveryKey(
  database: Database,
  input: Pick<Redemption, "now" | "sid" | "browserHash" | "userAgent"> & {
    secretHash: Uint8Array;
    takesEffectAt: Date;
  },
): Promise<{ id: string; userId: number } | null> {
  return callSqlFunction<{ id: string; userId: number }>(database, CHOOSE, {
    ...input,
    loginSid: input.sid,
    answeredSince: addSeconds(input.now, -LOGIN_SESSION_IDLE_SECONDS),
    deadline: computeStatementDeadline(input.now),
  });
}

const TAKE_EFFECT = sqlFunction("take_effect", ["recoveryId", "browserHash", "sessionId", "now", "deadline"]);

/**
 * Adds the chosen key to its account and spends the recovery code (`sql/take-effect.sql`). Ends the user's browser
 * sessions, and the logins that the user's keys have answered in browsers other than the recovering one. Marks the
 * previous sign-in methods as older than the recovery.
 * @param input.browserHash the hash of the secret in the recovering browser's cookie, or null if the job completes the
 * recovery
 * @returns the user, or null if the recovery is not due, was cancelled or has already taken effect
 * @throws a unique violation if the key now belongs to a different account, in which case nothing has changed
 */
export async function applyRecovery(
  database: Database,
  input: { now: Date; id: string; browserHash: Uint8Array | null; sessionId: string | null },
): Promise<{ userId: number } | null> {
  const deadline = computeStatementDeadline(input.now);
  return callSqlFunction<{ userId: number }>(database, TAKE_EFFECT, {
    ...input,
    recoveryId: input.id,
    deadline,
  });
}

const CLAIM: Statement = {
  name: "claim-recovered-key",
  text: `WITH claimed AS (
    UPDATE credential SET added_by_session = $4::uuid FROM recovery, login_session AS login
    WHERE recovery.secret_hash = $1::bytea AND recovery.finished_at IS NOT NULL
      AND credential.added_by_session = recovery.id AND credential.user_id = recovery.user_id
      AND login.sid = $2::text AND login.browser_hash = $3::bytea AND login.credential = credential.value
      AND login.status = 'authenticated' AND login.redeemed_at IS NULL
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM claimed`,
};

/**
 * After a delayed recovery, lets the recovering browser sign in with the new key without asking for consent
 * (docs/protocol.md#45-added-keys). Other browsers still ask for it.
 */
export async function confirmRecoveredKey(
  database: Database,
  input: Pick<Redemption, "sid" | "browserHash" | "browserSessionId"> & { secretHash: Uint8Array },
): Promise<void> {
  const { secretHash, sid, browserHash, browserSessionId } = input;
  await database.run(CLAIM, [secretHash, sid, browserHash, browserSessionId]);
}

const FIND_DUE: Statement = {
  name: "find-due-recoveries",
  text: `SELECT id FROM recovery
    WHERE takes_effect_at <= $1::timestamptz AND finished_at IS NULL AND cancelled_at IS NULL
    ORDER BY takes_effect_at LIMIT 100`,
};

/** At most a hundred, the earliest first. */
export async function findDueRecoveries(database: Database, now: Date): Promise<string[]> {
  return (await database.run<{ id: string }>(FIND_DUE, [now])).map(({ id }) => id);
}

const GIVE_UP: Statement = {
  name: "give-up-recovery",
  text: `WITH given_up AS (
    UPDATE recovery SET cancelled_at = $1::timestamptz
    WHERE id = $2::uuid AND finished_at IS NULL AND cancelled_at IS NULL
    RETURNING id, user_id, credential, user_agent
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $1::timestamptz, 'recovery_cancelled', user_id, 'credential_taken', credential, user_agent FROM given_up
  )
  SELECT user_id AS "userId" FROM given_up`,
};

/**
 * Called if the key now belongs to another account. The recovery code can still be used.
 * @returns the recovery's user, or null if the recovery had already ended
 */
export async function cancelConflictingRecovery(
  database: Database,
  id: string,
  now: Date,
): Promise<{ userId: number } | null> {
  return (await database.run<{ userId: number }>(GIVE_UP, [now, id]))[0] ?? null;
}
