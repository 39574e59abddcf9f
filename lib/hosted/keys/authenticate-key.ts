import { hashSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Call } from "#lib/platform/http/call.ts";
import { limitOfClient, requestLimit } from "#lib/platform/http/rate-limit.ts";
import type { RequestLimit } from "#lib/platform/http/request-limit.ts";
import { isApiKey } from "../contract/api-key.ts";
import type { TenantLimit } from "../contract/operation.ts";
import type { ApiMode, Tenant } from "../contract/tenant.ts";
import { findCaller } from "../store/api-key.ts";

/**
 * Finds who calls by the `Authorization` header, and counts the request: against the key's tenant, or against the
 * client's address if there is no valid key. Keys are found by their hash, so timing tells nothing about them. A
 * valid key is let in even from an address with too many failures (decision 25).
 * @param options.mode the base that is called; a key of the other is as good as none (docs/protocol.md#5-hosted-login)
 * @param options.limitName what the request counts as
 * @throws {ApiError} 401 `invalid_api_key` for a missing, malformed, unknown or revoked key, or the wrong kind; 429
 *   when the limit is used up
 */
export async function authenticateKey(
  { request, count }: Call,
  { mode, limitName }: { mode: ApiMode; limitName: TenantLimit },
): Promise<Tenant> {
  const key = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (isApiKey(key, mode)) {
    const hash = hashSecret(key);
    const limit = requestLimit(limitName, `${mode}:`, Buffer.from(hash).toString("base64url"));
    const caller = await findCaller(hash, { mode, limit, now: now() });
    if (caller) {
      await count(limit);
      return caller;
    }
  }
  await count(limitOfClient("failed-key", request));
  throw new ApiError(
    "invalid_api_key",
    `Send a valid ${mode} API key: "Authorization: Bearer svc_${mode}_…".`,
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

/** A limit of a tenant, for a request that no key brings: the same counter that all their keys share. */
export function tenantLimit(name: TenantLimit, { mode, tenantId }: Tenant): RequestLimit {
  return requestLimit(name, `${mode}:${tenantId}`);
}
