import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import {
  addSeconds,
  LOGIN_SESSION_IDLE_SECONDS,
  RECOVERY_RETENTION_SECONDS,
} from "../../../protocol/numbers.ts";
import type { Requester } from "../../approvals/requester.ts";

const OPEN: Statement = {
  name: "open-recovery",
  text: `WITH code AS (
    SELECT id, user_id FROM recovery_code WHERE mac = ANY($2::bytea[]) AND confirmed_at IS NOT NULL FOR KEY SHARE
  ), opened AS (
    INSERT INTO recovery (id, user_id, code_id, secret_hash, opened_at, expires_at, user_agent)
    SELECT $3::uuid, user_id, id, $4::bytea, $1::timestamptz, $5::timestamptz, $6::text FROM code
    RETURNING id, user_id
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, user_agent)
    SELECT $1::timestamptz, 'recovery_opened', user_id, $6::text FROM opened
  )
  SELECT user_id AS "userId" FROM opened`,
};

/**
 * Does not use up the code.
 * @param input.macs the typed code's MACs, one for each of the site's secrets
 * @returns the recovery's user, or null if there is no such code
 */
export async function insertRecovery(
  database: Database,
  input: {
    now: Date;
    macs: readonly Uint8Array[];
    id: string;
    secretHash: Uint8Array;
    expiresAt: Date;
    userAgent: string | null;
  },
): Promise<{ userId: number } | null> {
  const { now, macs, id, secretHash, expiresAt, userAgent } = input;
  const values = [now, macs, id, secretHash, expiresAt, userAgent];
  return (await database.run<{ userId: number }>(OPEN, values))[0] ?? null;
}

/** As the browser with the recovery's secret reads it. */
export type Recovery = {
  id: string;
  userId: number;
  accountSince: Date;
  expiresAt: Date;
  /** Null until the user has confirmed the new key or address. */
  credential: string | null;
  takesEffectAt: Date | null;
  finishedAt: Date | null;
  cancelledAt: Date | null;
};

const FIND: Statement = {
  name: "find-recovery",
  text: `SELECT recovery.id, user_id AS "userId", created_at AS "accountSince", expires_at AS "expiresAt", credential,
      takes_effect_at AS "takesEffectAt", finished_at AS "finishedAt", cancelled_at AS "cancelledAt"
    FROM recovery JOIN user_account ON user_account.id = user_id
    WHERE secret_hash = $1::bytea AND (finished_at IS NOT NULL OR cancelled_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM recovery_code WHERE recovery_code.id = code_id))`,
};

/**
 * Finds a recovery in any state. Returns null if there is none with this secret, or if its recovery code was deleted
 * before the recovery ended.
 */
export async function findRecovery(database: Database, secretHash: Uint8Array): Promise<Recovery | null> {
  return (await database.run<Recovery>(FIND, [secretHash]))[0] ?? null;
}

export type NewRecoveryKey = { flow: "login" | "fast"; value: string };

const FIND_KEY: Statement = {
  name: "find-recovering-key",
  text: `SELECT flow::text AS flow, credential AS value FROM login_session
    WHERE sid = $1::text AND browser_hash = $2::bytea AND intent = 'recover' AND asked_by = $3::uuid
      AND status = 'authenticated'
      AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz`,
};

export async function findNewRecoveryKey(
  database: Database,
  {
    now,
    sid,
    browserHash,
    recoveryId,
  }: { now: Date; sid: string; browserHash: Uint8Array; recoveryId: string },
): Promise<NewRecoveryKey | null> {
  const since = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  return (await database.run<NewRecoveryKey>(FIND_KEY, [sid, browserHash, recoveryId, since]))[0] ?? null;
}

export type PendingRecovery = {
  takesEffectAt: Date;
  openedAt: Date;
  userAgent: string | null;
  credential: string;
};

const FIND_PENDING: Statement = {
  name: "find-pending-recovery",
  text: `SELECT takes_effect_at AS "takesEffectAt", opened_at AS "openedAt", user_agent AS "userAgent", credential
    FROM recovery
    WHERE user_id = $1::int AND takes_effect_at IS NOT NULL AND finished_at IS NULL AND cancelled_at IS NULL`,
};

export async function findPendingRecovery(
  database: Database,
  userId: number,
): Promise<PendingRecovery | null> {
  return (await database.run<PendingRecovery>(FIND_PENDING, [userId]))[0] ?? null;
}

const CANCEL = sqlFunction("cancel_recoveries", ["sessionId", "userAgent", "now", "deadline"]);

/**
 * Acts for one of the user's signed-in browsers.
 * @returns false if there were no open or pending recoveries
 */
export async function cancelRecoveries(
  database: Database,
  { now, sessionId, userAgent }: Requester,
): Promise<boolean> {
  const values = { sessionId, userAgent, now, deadline: computeStatementDeadline(now) };
  const row = await retryOnConflict(() => callSqlFunction<{ cancelled: boolean }>(database, CANCEL, values));
  return row?.cancelled ?? false;
}

const PRUNE: Statement = {
  name: "prune-recoveries",
  text: `WITH pruned AS (
    DELETE FROM recovery WHERE finished_at < $2::timestamptz OR cancelled_at < $2::timestamptz
      OR takes_effect_at IS NULL AND cancelled_at IS NULL AND expires_at < $1::timestamptz
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM pruned`,
};

/** Deletes recoveries that can no longer be completed, and those that ended more than 30 days ago. */
export async function pruneRecoveries(database: Database, now: Date): Promise<number> {
  const values = [now, addSeconds(now, -RECOVERY_RETENTION_SECONDS)];
  return (await database.run<{ count: number }>(PRUNE, values))[0]?.count ?? 0;
}

const COUNT: Statement = {
  name: "count-sign-in-methods",
  text: `SELECT count(*)::int AS "signInMethods", count(before_recovery_at)::int AS "waysBefore"
    FROM credential WHERE user_id = $1::int`,
};

export async function countSignInMethods(
  database: Database,
  userId: number,
): Promise<{ signInMethods: number; waysBefore: number }> {
  const [row] = await database.run<{ signInMethods: number; waysBefore: number }>(COUNT, [userId]);
  if (!row) throw new Error("no row of count-sign-in-methods");
  return row;
}
