import { addSeconds } from "#lib/login/protocol/time.ts";
import { db, type Queries, runPrepared } from "#lib/platform/database/db.ts";
import { type CountRow, countColumns, counted, WITHOUT_FSYNC } from "#lib/platform/http/limit-counters.ts";
import type { RequestLimit } from "#lib/platform/http/request-limit.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { API_KEY_TOUCH_SECONDS, API_KEYS_PER_TENANT, REVOKED_API_KEYS_KEPT } from "../numbers.ts";

/** The queries on API keys. The database holds a key's hash and its first characters, never the key. */

export type ApiKeyRow = {
  id: string;
  mode: ApiMode;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** A key that is revoked now. */
export type RevokedKey = Pick<ApiKeyRow, "name" | "prefix"> & { isNew: boolean };

const FIELDS = {
  id: true,
  mode: true,
  name: true,
  prefix: true,
  createdAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

/**
 * Stores a new key, and deletes the tenant's oldest revoked ones, so that the list stays bounded.
 * @returns null when its tenant has as many keys as a tenant may have
 */
export async function insertApiKey(
  queries: Queries,
  input: {
    now: Date;
    tenantId: string;
    mode: ApiMode;
    name: string;
    prefix: string;
    hash: Uint8Array<ArrayBuffer>;
  },
): Promise<{ id: string } | null> {
  const { now, tenantId, mode, name, prefix, hash } = input;
  const rows = await queries.$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO api_key (id, owner_id, mode, name, prefix, hash, created_at)
      SELECT gen_random_uuid(), ${tenantId}::uuid, ${mode}::api_mode, ${name}, ${prefix}, ${hash},
        ${now}::timestamptz
      WHERE count_keys_of_held_owner(${tenantId}::uuid) < ${API_KEYS_PER_TENANT}
      RETURNING id
    ), forgotten AS (
      DELETE FROM api_key WHERE id IN (
        SELECT id FROM api_key WHERE owner_id = ${tenantId}::uuid AND revoked_at IS NOT NULL
        ORDER BY revoked_at DESC OFFSET ${REVOKED_API_KEYS_KEPT}
      )
    )
    SELECT id::text FROM made`;
  return rows[0] ?? null;
}

const FIND_CALLER = {
  name: "find-caller",
  text: `WITH found AS (
    SELECT id, owner_id, last_used_at FROM api_key
    WHERE hash = $4::bytea AND mode = $5::api_mode AND revoked_at IS NULL
  ), ${counted({ from: "FROM found", caller: "$1::text || found.owner_id", network: null, limit: "$2", window: "$3" })}, touched AS (
    UPDATE api_key SET last_used_at = $6::timestamptz FROM found
    WHERE api_key.id = found.id AND (found.last_used_at IS NULL OR found.last_used_at <= $7::timestamptz)
  )
  SELECT ${countColumns(null)}, owner_id, ${WITHOUT_FSYNC} FROM counted, found`,
};

/**
 * The caller whose key has this hash, counting the request against its tenant; null, and nothing counted, when the
 * key is unknown, revoked or of the other mode. Notes that the key was used, at most once a minute.
 * @param options.limit the tenant's, whom nobody knows before: all keys of one tenant are counted together
 * @throws {ApiError} 429 when the limit is used up
 */
export async function findCaller(
  hash: Uint8Array<ArrayBuffer>,
  { mode, limit, now }: { mode: ApiMode; limit: RequestLimit; now: Date },
): Promise<Tenant | null> {
  const untouchedSince = addSeconds(now, -API_KEY_TOUCH_SECONDS);
  const row = await limit.within(async ([caller, , ...limits]) => {
    const values = [caller, ...limits, hash, mode, now, untouchedSince];
    return (await runPrepared<CountRow & { owner_id: string }>(FIND_CALLER, values))[0];
  });
  return row ? { tenantId: row.owner_id, mode } : null;
}

/** A tenant's keys, newest first, the latest revoked ones too. */
export async function listApiKeys(tenantId: string): Promise<ApiKeyRow[]> {
  return db().apiKey.findMany({
    where: { ownerId: tenantId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: 200,
    select: FIELDS,
  });
}

/** Every tenant's keys with the tenant's name, newest first: for the operator. */
export async function listAllApiKeys(): Promise<(ApiKeyRow & { owner: { name: string } })[]> {
  return db().apiKey.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { ...FIELDS, owner: { select: { name: true } } },
  });
}

/**
 * Revokes a key, from the next request on; a revoked one stays as it was.
 * @param tenantId whose key it has to be; null for the operator, who may revoke any
 * @returns how it is called, and whether it was not revoked before; null when there is no such key
 */
export async function revokeApiKey(
  queries: Queries,
  id: string,
  tenantId: string | null,
  now: Date,
): Promise<RevokedKey | null> {
  const rows = await queries.$queryRaw<RevokedKey[]>`
    WITH before AS (
      SELECT id, revoked_at FROM api_key
      WHERE id = ${id}::uuid AND (${tenantId}::uuid IS NULL OR owner_id = ${tenantId}::uuid) FOR UPDATE
    )
    UPDATE api_key SET revoked_at = COALESCE(api_key.revoked_at, ${now}::timestamptz) FROM before
    WHERE api_key.id = before.id RETURNING name, prefix, before.revoked_at IS NULL AS "isNew"`;
  return rows[0] ?? null;
}

/** Revokes a console user's keys of both modes. Those that were not revoked before are returned. */
export async function revokeApiKeysOfUser(
  queries: Queries,
  { userId, now }: { userId: number; now: Date },
): Promise<Pick<ApiKeyRow, "name" | "prefix">[]> {
  return queries.$queryRaw`
    UPDATE api_key SET revoked_at = ${now}::timestamptz FROM owner
    WHERE owner.user_id = ${userId} AND api_key.owner_id = owner.id AND revoked_at IS NULL
    RETURNING api_key.name, prefix`;
}

/** How many keys of both modes a console user has that are not revoked. */
export async function countApiKeysOfUser(userId: number): Promise<number> {
  return db().apiKey.count({ where: { owner: { userId }, revokedAt: null } });
}
