import { type Database, retryOnConflict, startedInTime, statement } from "#lib/login/store/database.ts";
import { DatabaseTimeoutError } from "#lib/platform/database/database-error.ts";
import { cancelling } from "./recovery.ts";

/** The statements on recovery codes. */

/** Codes as the database holds them: MACs, and the id of the key that they were made under. */
export type SealedCodes = { macs: readonly Uint8Array[]; keyId: Uint8Array };

const REPLACE = statement({
  name: "replace-recovery-codes",
  // Recoveries that the old codes opened end with them. They come first, as when one takes effect.
  with: `${cancelling(startedInTime("$1"))}, made AS (
    -- In the place of the old ones, so that two requests at once leave two codes as well.
    INSERT INTO recovery_code AS code (id, user_id, slot, mac, key_id, created_at)
    SELECT gen_random_uuid(), $2::int, slot, mac, $6::bytea, $1::timestamptz
    FROM unnest($5::bytea[]) WITH ORDINALITY AS new_code (mac, slot), (SELECT count(*) FROM cancelled) AS first
    WHERE ${startedInTime("$1")}
    ORDER BY slot
    ON CONFLICT (user_id, slot) DO UPDATE SET id = excluded.id, mac = excluded.mac, key_id = excluded.key_id,
      created_at = excluded.created_at, confirmed_at = NULL
    RETURNING 1
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, by_session, user_agent)
    SELECT $1::timestamptz, 'recovery_codes_made', $2::int, $3::uuid, $4::text WHERE EXISTS (SELECT 1 FROM made)
  )`,
  select: "SELECT EXISTS (SELECT 1 FROM cancelled) AS cancelled FROM made LIMIT 1",
  durable: true,
});

/**
 * Replaces a user's codes by new ones, which do not work before they are confirmed; the old ones end here.
 * @returns whether that cancelled a recovery
 * @throws {DatabaseTimeoutError} when the statement began too late, and nothing has changed
 */
export async function replaceCodes(
  database: Database,
  input: { now: Date; userId: number; codes: SealedCodes; sessionId: string; userAgent: string | null },
): Promise<boolean> {
  const { now, userId, codes, sessionId, userAgent } = input;
  const values = [now, userId, sessionId, userAgent, codes.macs, codes.keyId];
  const [made] = await retryOnConflict(() => database.run<{ cancelled: boolean }>(REPLACE, values));
  if (!made) throw new DatabaseTimeoutError();
  return made.cancelled;
}

const CONFIRM = statement({
  name: "confirm-recovery-codes",
  with: `typed AS (
    SELECT id FROM recovery_code WHERE user_id = $2::int AND mac = ANY($3::bytea[])
  ), confirmed AS (
    UPDATE recovery_code SET confirmed_at = COALESCE(confirmed_at, $1::timestamptz)
    WHERE user_id = $2::int AND (SELECT count(*) FROM typed) = 2
    RETURNING 1
  )`,
  select: "SELECT count(*)::int AS count FROM confirmed",
  durable: true,
});

/**
 * Makes a user's two codes work, if these are both.
 * @param macs what was typed, under each of the site's secrets
 * @returns false when they are not, and nothing has changed
 */
export async function confirmCodes(
  database: Database,
  { now, userId, macs }: { now: Date; userId: number; macs: readonly Uint8Array[] },
): Promise<boolean> {
  const [row] = await database.run<{ count: number }>(CONFIRM, [now, userId, macs]);
  return row?.count === 2;
}

const FIND = statement({
  name: "find-recovery-code",
  select: `SELECT 1 FROM recovery_code
    WHERE user_id = $1::int AND mac = ANY($2::bytea[]) AND confirmed_at IS NOT NULL`,
  durable: true,
});

/** Whether one of these is a code of this user that works. */
export async function hasActiveCode(
  database: Database,
  { userId, macs }: { userId: number; macs: readonly Uint8Array[] },
): Promise<boolean> {
  return (await database.run(FIND, [userId, macs])).length > 0;
}

/** How a user stands without their keys. */
export type CodesState = {
  /** Codes that work. */
  active: number;
  /** Of those, the ones under the secret before: they end when that is taken away. */
  ageing: number;
  unconfirmed: number;
  /** Null where there are none. */
  madeAt: Date | null;
  /** When the account was last recovered; null when it never was, or longer ago than that is kept. */
  recoveredAt: Date | null;
};

const STATE = statement({
  name: "read-recovery-codes",
  select: `SELECT
      count(*) FILTER (WHERE confirmed_at IS NOT NULL AND key_id = ANY($2::bytea[]))::int AS active,
      count(*) FILTER (WHERE confirmed_at IS NOT NULL AND key_id = ANY($2::bytea[]) AND key_id <> $3::bytea)::int
        AS ageing,
      count(*) FILTER (WHERE confirmed_at IS NULL)::int AS unconfirmed,
      max(created_at) AS "madeAt",
      (SELECT max(finished_at) FROM recovery WHERE user_id = $1::int) AS "recoveredAt"
    FROM recovery_code WHERE user_id = $1::int`,
  durable: true,
});

/** @param keyIds of the site's secrets, the current one first */
export async function readCodesState(
  database: Database,
  { userId, keyIds }: { userId: number; keyIds: readonly [Uint8Array, ...Uint8Array[]] },
): Promise<CodesState> {
  const [row] = await database.run<CodesState>(STATE, [userId, keyIds, keyIds[0]]);
  if (!row) throw new Error("no row of read-recovery-codes");
  return row;
}
