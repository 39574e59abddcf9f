import "server-only";
import { isApiKey } from "#lib/contracts/hosted/api-key.ts";
import type { ApiMode, Caller } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { hashSecret } from "#lib/core/random.ts";
import { findCaller } from "#lib/store/api-key.ts";

/**
 * Who calls, by the `Authorization` header (specification 5). Keys are found by their hash, so nothing is learned
 * from how long it takes.
 * @param mode the base that is called; a key of the other is as good as none (contract 5)
 * @throws {ApiError} 401 `invalid_api_key` for a missing, malformed, unknown or revoked key, or the wrong kind
 */
export async function authenticateKey(authorization: string | null, mode: ApiMode): Promise<Caller> {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  const caller = isApiKey(key, mode) ? await findCaller(hashSecret(key), mode, now()) : null;
  if (caller) return caller;
  throw new ApiError(
    "invalid_api_key",
    `Send a valid ${mode} API key: "Authorization: Bearer svc_${mode}_…".`,
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}
