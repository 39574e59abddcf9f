import "server-only";
import { hashSecret, newSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { apiKeyPrefix, type NewApiKey } from "../contract/api-key.ts";
import { type ApiKeyRow, insertApiKey } from "../store/api-key.ts";

/** Characters of a key's secret that are kept, for people to tell keys apart. */
const SHOWN_CHARACTERS = 4;

/**
 * Makes a key for an owner.
 * @returns its row, and the key itself: shown once, it cannot be read again (contract 5)
 */
export async function createKey(
  ownerId: string,
  { mode, name }: NewApiKey,
): Promise<ApiKeyRow & { key: string }> {
  const prefix = apiKeyPrefix(mode);
  const key = prefix + newSecret();
  const row = await insertApiKey({
    now: now(),
    ownerId,
    mode,
    name,
    prefix: key.slice(0, prefix.length + SHOWN_CHARACTERS),
    hash: hashSecret(key),
  });
  return { ...row, key };
}
