import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, retryOnConflict, startedInTime, statement } from "./database.ts";
import { SIGNS_IN } from "./redeem-login.ts";

/**
 * The question to the holder of a key that somebody else may have bound to an account (docs/protocol.md#45-added-keys).
 * It is an answered login, which is not redeemed before the holder decides.
 */

/** A login, and the browser that it is bound to. */
export type AddedKeyLogin = { now: Date; sid: string; browserHash: Uint8Array };

/** The login that asks, and what its page says about the account. */
export type AddedKeyQuestion =
  | {
      state: "open";
      flow: "login" | "fast" | "hosted";
      userId: number;
      kind: "public_key" | "address";
      value: string;
      addedAt: Date;
      accountSince: Date;
      otherWays: number;
    }
  /** Its holder has said that the account is not theirs. */
  | { state: "removed" };

// The logins of every flow whose answer signs this browser in; redeemed ones too.
const ANSWERED = `answered AS (
    SELECT flow::text AS flow, credential, user_id, redeemed_at FROM login_session
    WHERE sid = $1::text AND browser_hash = $2::bytea AND status = 'authenticated' AND ${SIGNS_IN}
      AND authenticated_at > $3::timestamptz
    UNION ALL
    SELECT 'hosted', public_key, NULL, redeemed_at FROM hosted_login
    WHERE session_id = $1::text AND browser_hash = $2::bytea AND authenticated_at > $3::timestamptz
  )`;

const since = (now: Date) => addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);

const FIND = statement({
  name: "find-added-key-question",
  with: ANSWERED,
  select: `SELECT flow, answered.redeemed_at IS NOT NULL AS decided, held.user_id AS "userId", held.kind::text, held.value,
      held.added_by_session IS NOT NULL AS added, held.created_at AS "addedAt", account.created_at AS "accountSince",
      (SELECT count(*)::int - 1 FROM credential WHERE user_id = held.user_id) AS "otherWays"
    FROM answered LEFT JOIN credential AS held ON held.value = answered.credential
        AND (answered.user_id IS NULL OR answered.user_id = held.user_id)
      LEFT JOIN user_account AS account ON account.id = held.user_id`,
});

type Found = Omit<Extract<AddedKeyQuestion, { state: "open" }>, "state" | "userId"> & {
  userId: number | null;
  decided: boolean;
  added: boolean;
};

/** The question that this login of this browser stops at; null when there is none. */
export async function findAddedKeyQuestion(
  database: Database,
  { now, sid, browserHash }: AddedKeyLogin,
): Promise<AddedKeyQuestion | null> {
  const [row] = await database.run<Found>(FIND, [sid, browserHash, since(now)]);
  if (!row) return null;
  const { decided, added, userId, ...question } = row;
  if (decided) return userId === null ? { state: "removed" } : null;
  return userId !== null && added ? { state: "open", userId, ...question } : null;
}

const FIND_OPEN = statement({
  name: "find-open-question",
  select: `SELECT sid FROM login_session AS login JOIN credential AS held
      ON held.value = login.credential AND held.user_id = login.user_id
    WHERE browser_hash = $1::bytea AND status = 'authenticated' AND ${SIGNS_IN}
      AND redeemed_at IS NULL AND authenticated_at > $2::timestamptz AND held.added_by_session IS NOT NULL
    ORDER BY authenticated_at DESC LIMIT 1`,
});

/** The sid of this browser's latest site or fast login that stops at its question; null when none does. */
export async function findOpenQuestion(
  database: Database,
  now: Date,
  browserHash: Uint8Array,
): Promise<string | null> {
  return (await database.run<{ sid: string }>(FIND_OPEN, [browserHash, since(now)]))[0]?.sid ?? null;
}

const DISOWN = statement({
  name: "disown-added-key",
  with: `${ANSWERED}, removed AS (
    -- Waits for a sign-in with the key at this moment. The function below, which runs after it, sees what that opened.
    DELETE FROM credential USING answered
    WHERE credential.value = answered.credential AND credential.added_by_session IS NOT NULL
      AND answered.redeemed_at IS NULL AND (answered.user_id IS NULL OR answered.user_id = credential.user_id)
      AND ${startedInTime("$4")}
    RETURNING credential.user_id, credential.value
  ), redeemed AS (
    UPDATE login_session SET redeemed_at = $4::timestamptz FROM removed
    WHERE sid = $1::text AND browser_hash = $2::bytea
    RETURNING 1
  ), redeemed_hosted AS (
    UPDATE hosted_login SET redeemed_at = $4::timestamptz FROM removed
    WHERE session_id = $1::text AND browser_hash = $2::bytea
  ), forgotten_hosted AS (
    DELETE FROM hosted_login AS login USING removed
    WHERE login.public_key = removed.value AND login.redeemed_at IS NULL AND login.session_id <> $1::text
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $4::timestamptz, 'credential_removed', user_id, 'not_mine', value, $5::text FROM removed
  )`,
  // In this order: the login that asked is redeemed then, and stays.
  select: `SELECT CASE WHEN (SELECT count(*) FROM redeemed) >= 0
      THEN end_sessions_of_removed_keys($4::timestamptz, user_id, value, NULL) END AS ended FROM removed`,
});

/**
 * Removes the added key that answered this browser's login, because its holder said so, and ends the login without
 * signing anybody in; once. Unlike a removal by the user it may take the account's last way in: a key must not open an
 * account that its holder disowns.
 * @returns false when there is nothing to decide
 */
export async function disownAddedKey(
  database: Database,
  { now, sid, browserHash, userAgent }: AddedKeyLogin & { userAgent: string | null },
): Promise<boolean> {
  const values = [sid, browserHash, since(now), now, userAgent];
  return (await retryOnConflict(() => database.run(DISOWN, values))).length > 0;
}
