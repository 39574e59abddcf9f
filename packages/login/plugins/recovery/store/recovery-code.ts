import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import type { Requester } from "../../approvals/requester.ts";

/** `keyId` identifies the key with which the MACs were computed. */
export type RecoveryCodeMacs = { macs: readonly Uint8Array[]; keyId: Uint8Array };

const REPLACE = sqlFunction("replace_recovery_codes", [
  "sessionId",
  "macs",
  "keyId",
  "userAgent",
  "now",
  "deadline",
]);

/**
 * The new codes work only once they are confirmed, and the previous ones become invalid now.
 * @returns whether a recovery was cancelled; null if the requesting session has ended, in which case nothing has
 * changed
 */
export async function replaceRecoveryCodes(
  database: Database,
  { now, sessionId, userAgent }: Requester,
  { macs, keyId }: RecoveryCodeMacs,
): Promise<{ cancelled: boolean } | null> {
  const values = { sessionId, macs, keyId, userAgent, now, deadline: computeStatementDeadline(now) };
  return retryOnConflict(() => callSqlFunction<{ cancelled: boolean }>(database, REPLACE, values));
}

const CONFIRM = sqlFunction("confirm_recovery_codes", ["sessionId", "macs", "now", "deadline"]);

/**
 * @param macs the typed codes' MACs, one for each of the site's secrets
 * @returns false if other codes were typed or the session has ended, in which case nothing has changed
 */
export async function confirmRecoveryCodes(
  database: Database,
  { now, sessionId }: Requester,
  macs: readonly Uint8Array[],
): Promise<boolean> {
  const values = { sessionId, macs, now, deadline: computeStatementDeadline(now) };
  const row = await retryOnConflict(() => callSqlFunction<{ confirmed: boolean }>(database, CONFIRM, values));
  return row?.confirmed ?? false;
}

const FIND: Statement = {
  name: "find-recovery-code",
  text: `SELECT 1 FROM recovery_code
    WHERE user_id = $1::int AND mac = ANY($2::bytea[]) AND confirmed_at IS NOT NULL`,
};

export async function hasActiveRecoveryCode(
  database: Database,
  { userId, macs }: { userId: number; macs: readonly Uint8Array[] },
): Promise<boolean> {
  return (await database.run(FIND, [userId, macs])).length > 0;
}

export type RecoveryCodesState = {
  active: number;
  /** Codes that depend on a previous secret and become invalid when it is removed. */
  ageing: number;
  unconfirmed: number;
  madeAt: Date | null;
  /** Null if there was no recovery or its row has been deleted. */
  recoveredAt: Date | null;
};

const STATE: Statement = {
  name: "read-recovery-codes",
  text: `SELECT
      count(*) FILTER (WHERE confirmed_at IS NOT NULL AND key_id = ANY($2::bytea[]))::int AS active,
      count(*) FILTER (WHERE confirmed_at IS NOT NULL AND key_id = ANY($2::bytea[]) AND key_id <> $3::bytea)::int
        AS ageing,
      count(*) FILTER (WHERE confirmed_at IS NULL)::int AS unconfirmed,
      max(created_at) AS "madeAt",
      (SELECT max(finished_at) FROM recovery WHERE user_id = $1::int) AS "recoveredAt"
    FROM recovery_code WHERE user_id = $1::int`,
};

/** @param keyIds the current key's first */
export async function readRecoveryCodesState(
  database: Database,
  { userId, keyIds }: { userId: number; keyIds: readonly [Uint8Array, ...Uint8Array[]] },
): Promise<RecoveryCodesState> {
  const [row] = await database.run<RecoveryCodesState>(STATE, [userId, keyIds, keyIds[0]]);
  if (!row) throw new Error("no row of read-recovery-codes");
  return row;
}
