import { hashSecret, newSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import type { Queries } from "#lib/platform/database/db.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isUuid } from "#lib/platform/uuid.ts";
import { apiKeyPrefix, type NewApiKey } from "../contract/api-key.ts";
import { API_KEYS_PER_TENANT } from "../numbers.ts";
import { type ApiKeyRow, insertApiKey, type RevokedKey, revokeApiKey } from "../store/api-key.ts";

/** Characters of a key's secret that are kept, for people to tell keys apart. */
const SHOWN_CHARACTERS = 4;

/**
 * Makes a key for a tenant.
 * @returns how it is called, and the key itself: shown once, it cannot be read again (docs/protocol.md#5-hosted-login)
 * @throws {ApiError} 422 `quota_exceeded` when the tenant has as many as it may have
 */
export async function createKey(
  queries: Queries,
  tenantId: string,
  { mode, name }: NewApiKey,
): Promise<{ id: string; name: string; prefix: string; key: string }> {
  const kind = apiKeyPrefix(mode);
  const key = kind + newSecret();
  const prefix = key.slice(0, kind.length + SHOWN_CHARACTERS);
  const stored = await insertApiKey(queries, {
    now: now(),
    tenantId,
    mode,
    name,
    prefix,
    hash: hashSecret(key),
  });
  if (!stored) {
    throw new ApiError(
      "quota_exceeded",
      `There are ${API_KEYS_PER_TENANT} keys already, live and test together. Revoke one that is not used any more.`,
      { details: { limit: API_KEYS_PER_TENANT } },
    );
  }
  return { id: stored.id, name, prefix, key };
}

/**
 * Revokes a key at once: the next request with it is a 401. Revoking it again changes nothing.
 * @param tenantId whose key it has to be; null for the operator
 * @returns how it is called, and whether it was not revoked before
 * @throws {ApiError} 404 for an id that is none of the tenant's keys
 */
export async function revokeKey(queries: Queries, tenantId: string | null, id: string): Promise<RevokedKey> {
  const revoked = isUuid(id) ? await revokeApiKey(queries, id, tenantId, now()) : null;
  if (!revoked) throw new ApiError("not_found", "There is no such API key. List the keys to find its id.");
  return revoked;
}

/** An API key as its tenant knows it: the name and the first characters, `Laptop (svc_live_Zk3f…)`. */
export function describeApiKey({ name, prefix }: Pick<ApiKeyRow, "name" | "prefix">): string {
  return `${name} (${prefix}…)`;
}
