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
 * @returns its id, and the key itself: shown once, it cannot be read again (contract 5)
 * @throws {ApiError} 422 `quota_exceeded` when the owner has as many as it may have
 */
export async function createKey(
  ownerId: string,
  { mode, name }: NewApiKey,
): Promise<{ id: string; key: string }> {
  const prefix = apiKeyPrefix(mode);
  const key = prefix + newSecret();
  const stored = await insertApiKey({
    now: now(),
    ownerId,
    mode,
    name,
    prefix: key.slice(0, prefix.length + SHOWN_CHARACTERS),
    hash: hashSecret(key),
  });
  if (!stored) {
    throw new ApiError(
      "quota_exceeded",
      `There are ${API_KEYS_PER_OWNER} keys already, live and test together. Revoke one that is not used any more.`,
      { details: { limit: API_KEYS_PER_OWNER } },
    );
  }
  return { id: stored.id, key };
}
