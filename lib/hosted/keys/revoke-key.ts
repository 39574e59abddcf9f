import "server-only";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isUuid } from "#lib/platform/uuid.ts";
import { type ApiKeyRow, revokeApiKey } from "../store/api-key.ts";

/**
 * Revokes a key at once: the next request with it is a 401. Revoking it again changes nothing.
 * @param ownerId whose key it has to be; null for the operator
 * @returns how it is called
 * @throws {ApiError} 404 for an id that is none of the tenant's keys
 */
export async function revokeKey(
  ownerId: string | null,
  id: string,
): Promise<Pick<ApiKeyRow, "name" | "prefix">> {
  const revoked = isUuid(id) ? await revokeApiKey(id, ownerId, now()) : null;
  if (!revoked) throw new ApiError("not_found", "There is no such API key. List the keys to find its id.");
  return revoked;
}
