import "server-only";
import { hashSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { RequestLimit } from "#lib/platform/http/rate-limit.ts";
import { isApiKey } from "../contract/api-key.ts";
import type { ApiKeyLimit } from "../contract/operation.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { findCaller } from "../store/api-key.ts";

/**
 * Who calls, by the `Authorization` header (specification 5), counting the request. Keys are found by their hash, so
 * nothing is learned from how long it takes.
 * @param call.mode the base that is called; a key of the other is as good as none (contract 5)
 * @param call.limitName what the request counts as; each key has limits of its own
 * @throws {ApiError} 401 `invalid_api_key` for a missing, malformed, unknown or revoked key, or the wrong kind; 429
 *   when the limit is used up
 */
export async function authenticateKey(
  authorization: string | null,
  { mode, limitName }: { mode: ApiMode; limitName: ApiKeyLimit },
): Promise<{ caller: Tenant; limit: RequestLimit }> {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  if (isApiKey(key, mode)) {
    const hash = hashSecret(key);
    const limit = new RequestLimit(limitName, Buffer.from(hash).toString("base64url"));
    const caller = await findCaller(hash, { mode, limit, now: now() });
    if (caller) return { caller, limit };
  }
  throw new ApiError(
    "invalid_api_key",
    `Send a valid ${mode} API key: "Authorization: Bearer svc_${mode}_…".`,
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}
