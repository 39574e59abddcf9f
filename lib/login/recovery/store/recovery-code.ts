import { type Asker, askingSession } from "../../approval/asker.ts";
import { type Database, retryOnConflict, statement } from "../../store/database.ts";
import { cancelling } from "./recovery.ts";

/** The statements on recovery codes. */

/** Codes as the database holds them: MACs, and the id of the key that they were made under. */
export type SealedCodes = { macs: readonly Uint8Array[]; keyId: Uint8Array };

const REPLACE = statement({
  name: "replace-recovery-codes",
  // Recoveries that the old codes opened are cancelled first.
  with: `${askingSession("$1", "$2")}, ${cancelling}, made AS (
    -- In the place of the old ones, so that two requests at once leave two codes as well.
    INSERT INTO recovery_code AS code (id, user_id, slot, mac, key_id, created_at)
    SELECT gen_random_uuid(), asking.user_id, slot, mac, $5::bytea, $1::timestamptz
    FROM asking, unnest($4::bytea[]) WITH ORDINALITY AS new_code (mac, slot),
      (SELECT count(*) FROM cancelled) AS first
    ORDER BY slot
    ON CONFLICT (user_id, slot) DO UPDATE SET id = excluded.id, mac = excluded.mac, key_id = excluded.key_id,
      created_at = excluded.created_at, confirmed_at = NULL
    RETURNING user_id
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, user_agent, by_session)
    SELECT DISTINCT $1::timestamptz, 'recovery_codes_made'::login_event_kind, user_id, $3::text,
      (SELECT lineage FROM asking)
    FROM made
  )`,
  select: "SELECT EXISTS (SELECT 1 FROM cancelled) AS cancelled FROM made LIMIT 1",
});

/**
 * Replaces a user's codes by new ones, which do not work before they are confirmed; the old ones end here.
 * @returns whether that cancelled a recovery; null when the session that asks has ended, and nothing has changed
 */
export async function replaceCodes(
  database: Database,
  { now, sessionId, userAgent }: Asker,
  { macs, keyId }: SealedCodes,
): Promise<{ cancelled: boolean } | null> {
  const values = [now, sessionId, userAgent, macs, keyId];
  return (await retryOnConflict(() => database.run<{ cancelled: boolean }>(REPLACE, values)))[0] ?? null;
}

const CONFIRM = statement({
  name: "confirm-recovery-codes",
  with: `${askingSession("$1", "$2", false)}, typed AS (
    SELECT id FROM recovery_code WHERE user_id = (SELECT user_id FROM asking) AND mac = ANY($3::bytea[])
  ), confirmed AS (
    UPDATE recovery_code SET confirmed_at = COALESCE(confirmed_at, $1::timestamptz)
    WHERE id IN (SELECT id FROM typed) AND (SELECT count(*) FROM typed) = 2
    RETURNING 1
  )`,
  select: "SELECT count(*)::int AS count FROM confirmed",
});

/**
 * Activates a user's two codes, if both were typed.
 * @param macs the MACs of what was typed, one under each of the site's secrets
 * @returns false when they were not, or the session has ended; nothing has changed then
 */
export async function confirmCodes(
  database: Database,
  { now, sessionId }: Asker,
  macs: readonly Uint8Array[],
): Promise<boolean> {
  const [row] = await retryOnConflict(() => database.run<{ count: number }>(CONFIRM, [now, sessionId, macs]));
  return row?.count === 2;
}

const FIND = statement({
  name: "find-recovery-code",
  select: `SELECT 1 FROM recovery_code
    WHERE user_id = $1::int AND mac = ANY($2::bytea[]) AND confirmed_at IS NOT NULL`,
});

/** Whether one of these MACs is that of a working code of this user. */
export async function hasActiveCode(
  database: Database,
  { userId, macs }: { userId: number; macs: readonly Uint8Array[] },
): Promise<boolean> {
  return (await database.run(FIND, [userId, macs])).length > 0;
}

/** The state of a user's recovery codes. */
export type CodesState = {
  /** Codes that work. */
  active: number;
  /** Of those, how many were made under a previous secret: they end when it is removed. */
  ageing: number;
  unconfirmed: number;
  /** When they were made; null if there are none. */
  madeAt: Date | null;
  /** When the account was last recovered; null when it never was, or when that recovery has been deleted. */
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
