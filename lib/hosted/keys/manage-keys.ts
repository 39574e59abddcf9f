import type { Prisma } from "#generated/prisma/client.ts";
import { db, type PrismaQueries } from "#lib/platform/database/db.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { generateSecret, hashSecret } from "#packages/login/server/random.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { API_KEYS_PER_TENANT, REVOKED_API_KEYS_PER_TENANT } from "../numbers.ts";

/** The database contains a key's hash and first characters, but not the key (docs/protocol.md#51-authentication). */

/** Characters of a key's secret that are stored, so that users can recognise their keys. */
const SHOWN_CHARACTERS = 4;

/**
 * The columns that may leave the server. The list is explicit because the console's page receives whole rows, which
 * must not include columns that are added later.
 */
const SHOWN = {
  id: true,
  mode: true,
  name: true,
  prefix: true,
  createdAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

type ApiKeyRow = Prisma.ApiKeyGetPayload<{ select: typeof SHOWN }>;

/** `svc_live_…` or `svc_test_…`. */
export function formatApiKey(mode: ApiMode, secret = generateSecret()): string {
  return `svc_${mode}_${secret}`;
}

/**
 * Deletes the tenant's oldest revoked keys to limit the list.
 * @returns the key's name and prefix, and the key itself, which cannot be read again
 */
export async function createApiKey(
  queries: PrismaQueries,
  tenantId: string,
  { mode, name, key = formatApiKey(mode) }: { mode: ApiMode; name: string; key?: string },
): Promise<{ id: string; name: string; prefix: string; key: string }> {
  const prefix = key.slice(0, formatApiKey(mode, "").length + SHOWN_CHARACTERS);
  const [stored] = await queries.$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO api_key (id, owner_id, mode, name, prefix, hash, created_at)
      SELECT gen_random_uuid(), ${tenantId}::uuid, ${mode}::api_mode, ${name}, ${prefix}, ${hashSecret(key)},
        ${now()}::timestamptz
      WHERE count_keys_of_held_owner(${tenantId}::uuid) < ${API_KEYS_PER_TENANT}
      RETURNING id
    ), forgotten AS (
      DELETE FROM api_key WHERE id IN (
        SELECT id FROM api_key WHERE owner_id = ${tenantId}::uuid AND revoked_at IS NOT NULL
        ORDER BY revoked_at DESC OFFSET ${REVOKED_API_KEYS_PER_TENANT}
      )
    )
    SELECT id::text FROM made`;
  if (stored) return { id: stored.id, name, prefix, key };
  throw refusal(
    "quota_exceeded",
    `You already have ${API_KEYS_PER_TENANT} keys (live and test combined). Revoke one you no longer use.`,
    { details: { limit: API_KEYS_PER_TENANT } },
  );
}

/**
 * All later requests with this key receive a 401. Revoking it again has no effect.
 * @param tenantId the tenant that must own the key; null for the operator, who can revoke any key
 */
export async function revokeApiKey(
  queries: PrismaQueries,
  tenantId: string | null,
  id: string,
): Promise<{ name: string; prefix: string; isNew: boolean }> {
  const [revoked] = await queries.$queryRaw<{ name: string; prefix: string; isNew: boolean }[]>`
    WITH before AS (
      SELECT id, revoked_at FROM api_key
      WHERE id = ${UUID.test(id) ? id : null}::uuid AND (${tenantId}::uuid IS NULL OR owner_id = ${tenantId}::uuid) FOR UPDATE
    )
    UPDATE api_key SET revoked_at = COALESCE(api_key.revoked_at, ${now()}::timestamptz) FROM before
    WHERE api_key.id = before.id RETURNING name, prefix, before.revoked_at IS NULL AS "isNew"`;
  if (!revoked) throw refusal("not_found", "There is no such API key. List the keys to find its id.");
  return revoked;
}

/** The 200 newest keys, including revoked ones. */
export async function listApiKeys({ tenantId, mode }: Tenant): Promise<ApiKeyRow[]> {
  return db().apiKey.findMany({
    where: { ownerId: tenantId, mode },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: 200,
    select: SHOWN,
  });
}

/** For the operator, newest first. */
export async function listAllApiKeys(): Promise<(ApiKeyRow & { owner: { name: string } })[]> {
  return db().apiKey.findMany({
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { ...SHOWN, owner: { select: { name: true } } },
  });
}

/**
 * Covers both modes.
 * @returns the keys that this call has revoked
 */
export async function revokeUserApiKeys(
  queries: PrismaQueries,
  { userId, now }: { userId: number; now: Date },
): Promise<Pick<ApiKeyRow, "name" | "prefix">[]> {
  return queries.$queryRaw`
    UPDATE api_key SET revoked_at = ${now}::timestamptz FROM owner
    WHERE owner.user_id = ${userId} AND api_key.owner_id = owner.id AND revoked_at IS NULL
    RETURNING api_key.name, prefix`;
}

/** Counts both modes, without revoked keys. */
export async function countUserApiKeys(userId: number): Promise<number> {
  return db().apiKey.count({ where: { owner: { userId }, revokedAt: null } });
}

/** `Laptop (svc_live_Zk3f…)`. */
export function describeApiKey({ name, prefix }: Pick<ApiKeyRow, "name" | "prefix">): string {
  return `${name} (${prefix}…)`;
}

/** A UUID in PostgreSQL's format. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
