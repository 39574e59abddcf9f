import "server-only";
import { apiKeyPrefix, type NewApiKey } from "#lib/contracts/hosted/api-key.ts";
import { API_KEYS_PER_OWNER } from "#lib/contracts/limits.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { hashSecret, newSecret } from "#lib/core/random.ts";
import { insertApiKey } from "#lib/store/api-key.ts";

/** Characters of a key's secret that are kept, for people to tell keys apart. */
const SHOWN_CHARACTERS = 4;

/**
 * Makes a key for an owner.
 * @returns how it is called, and the key itself: shown once, it cannot be read again (contract 5)
 * @throws {ApiError} 422 `quota_exceeded` when the owner has as many as it may have
 */
export async function createKey(
  ownerId: string,
  { mode, name }: NewApiKey,
): Promise<{ id: string; name: string; prefix: string; key: string }> {
  const kind = apiKeyPrefix(mode);
  const key = kind + newSecret();
  const prefix = key.slice(0, kind.length + SHOWN_CHARACTERS);
  const stored = await insertApiKey({
    now: now(),
    ownerId,
    mode,
    name,
    prefix,
    hash: hashSecret(key),
  });
  if (!stored) {
    throw new ApiError(
      "quota_exceeded",
      `There are ${API_KEYS_PER_OWNER} keys already, live and test together. Revoke one that is not used any more.`,
      { details: { limit: API_KEYS_PER_OWNER } },
    );
  }
  return { id: stored.id, name, prefix, key };
}
