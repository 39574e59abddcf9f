import "server-only";
import { Prisma } from "#generated/prisma/client.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/login/protocol/numbers.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import type { LoginFlow } from "#lib/login/server/core.ts";
import { db } from "#lib/platform/database/db.ts";
import { afterRemoval } from "./credential.ts";
import { requestDeadline } from "./request-deadline.ts";

/** The question to the holder of a key that was added elsewhere: an answered login that is not redeemed without it. */

/** Which login of which browser is meant. */
export type AddedKeyLogin = { now: Date; sid: string; browserHash: Uint8Array<ArrayBuffer> };

/** The login that asks, and what its page says about the account. */
export type AddedKeyQuestion =
  | {
      state: "open";
      flow: LoginFlow;
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
const answered = ({ now, sid, browserHash }: AddedKeyLogin) => {
  const since = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  return Prisma.sql`answered AS (
      SELECT flow::text AS flow, credential, user_id, redeemed_at FROM login_session
      WHERE sid = ${sid} AND browser_hash = ${browserHash} AND status = 'authenticated' AND adds_to_session IS NULL
        AND approves_session IS NULL AND recovers IS NULL
        AND authenticated_at > ${since}::timestamptz
      UNION ALL
      SELECT 'hosted', public_key, NULL, redeemed_at FROM hosted_login
      WHERE session_id = ${sid} AND browser_hash = ${browserHash} AND authenticated_at > ${since}::timestamptz
    )`;
};

/** The question that this login of this browser stops at; null when there is none. */
export async function findAddedKeyQuestion(login: AddedKeyLogin): Promise<AddedKeyQuestion | null> {
  const [row] = await db().$queryRaw<
    {
      flow: LoginFlow;
      decided: boolean;
      user_id: number | null;
      kind: "public_key" | "address";
      value: string;
      added: boolean;
      added_at: Date;
      account_since: Date;
      other_ways: number;
    }[]
  >`
    WITH ${answered(login)}
    SELECT flow, answered.redeemed_at IS NOT NULL AS decided, held.user_id, held.kind::text, held.value,
      held.added_by_session IS NOT NULL AS added, held.created_at AS added_at, account.created_at AS account_since,
      (SELECT count(*)::int - 1 FROM credential WHERE user_id = held.user_id) AS other_ways
    FROM answered LEFT JOIN credential AS held ON held.value = answered.credential
        AND (answered.user_id IS NULL OR answered.user_id = held.user_id)
      LEFT JOIN user_account AS account ON account.id = held.user_id`;
  if (!row) return null;
  const { flow, user_id: userId, kind, value, added_at: addedAt } = row;
  if (row.decided) return userId === null ? { state: "removed" } : null;
  if (userId === null || !row.added) return null;
  const { account_since: accountSince, other_ways: otherWays } = row;
  return { state: "open", flow, userId, kind, value, addedAt, accountSince, otherWays };
}

/** The latest login of this browser that stops at its question; null when none does. Of the site login and fast login. */
export async function findOpenQuestion(
  now: Date,
  browserHash: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const since = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const rows = await db().$queryRaw<{ sid: string }[]>`
    SELECT sid FROM login_session AS login JOIN credential AS held
      ON held.value = login.credential AND held.user_id = login.user_id
    WHERE browser_hash = ${browserHash} AND status = 'authenticated' AND adds_to_session IS NULL
        AND approves_session IS NULL AND recovers IS NULL
      AND redeemed_at IS NULL AND authenticated_at > ${since}::timestamptz AND held.added_by_session IS NOT NULL
    ORDER BY authenticated_at DESC LIMIT 1`;
  return rows[0]?.sid ?? null;
}

/**
 * Removes the added key that answered this browser's login, because its holder said so, and ends the login without
 * signing anybody in; once, in one transaction. Unlike a removal by the user it may take the account's last way in: a
 * key must not open an account that its holder disowns.
 * @returns false when there is nothing to decide
 */
export async function disownAddedKey(login: AddedKeyLogin & { userAgent: string | null }): Promise<boolean> {
  const { now, sid, browserHash, userAgent } = login;
  const [, rows] = await db().$transaction([
    // Locks the key first, in the same order as a sign-in with it.
    db().$queryRaw`
      WITH ${answered(login)}
      SELECT id FROM credential WHERE value IN (SELECT credential FROM answered) FOR UPDATE`,
    db().$queryRaw<{ removed: boolean }[]>`
      WITH ${answered(login)}, removed AS (
        DELETE FROM credential USING answered
        WHERE credential.value = answered.credential AND credential.added_by_session IS NOT NULL
          AND answered.redeemed_at IS NULL AND statement_timestamp() < ${requestDeadline(now)}::timestamptz
          AND (answered.user_id IS NULL OR answered.user_id = credential.user_id)
        RETURNING credential.user_id, credential.value
      ), redeemed AS (
        UPDATE login_session SET redeemed_at = ${now}::timestamptz FROM removed
        WHERE sid = ${sid} AND browser_hash = ${browserHash}
      ), redeemed_hosted AS (
        UPDATE hosted_login SET redeemed_at = ${now}::timestamptz FROM removed
        WHERE session_id = ${sid} AND browser_hash = ${browserHash}
      ), ${afterRemoval({ now, keptSessionId: null, keptSid: sid, userAgent, reason: "not_mine" })}
      SELECT EXISTS (SELECT 1 FROM removed) AS removed`,
  ]);
  return rows[0]?.removed ?? false;
}
