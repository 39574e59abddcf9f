import "server-only";
import { isApiKey } from "#lib/contracts/hosted/api-key.ts";
import type { OwnerLimit } from "#lib/contracts/hosted/operation.ts";
import type { ApiMode, Tenant } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import type { Call } from "#lib/core/http/endpoint.ts";
import { limitOfClient, RequestLimit } from "#lib/core/http/rate-limit.ts";
import { hashSecret } from "#lib/core/random.ts";
import { findCaller } from "#lib/store/api-key.ts";

/**
 * Who calls, by the `Authorization` header (specification 5), counting the request: for the owner of the key, or
 * where there is none for the client's address. Keys are found by their hash, so nothing is learned from how long it
 * takes. A client that has failed too often is still let in by a valid key (decision 25).
 * @param options.mode the base that is called; a key of the other is as good as none (contract 5)
 * @param options.limitName what the request counts as
 * @throws {ApiError} 401 `invalid_api_key` for a missing, malformed, unknown or revoked key, or the wrong kind; 429
 *   when the limit is used up
 */
export async function authenticateKey(
  { request, carry }: Call,
  { mode, limitName }: { mode: ApiMode; limitName: OwnerLimit },
): Promise<Tenant> {
  const key = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (isApiKey(key, mode)) {
    const hash = hashSecret(key);
    const limit = new RequestLimit(limitName, `${mode}:`, Buffer.from(hash).toString("base64url"));
    const caller = await findCaller(hash, { mode, limit, now: now() });
    if (caller) {
      carry(limit);
      return caller;
    }
  }
  const failures = limitOfClient("failed-key", request);
  carry(failures);
  await failures.take();
  throw new ApiError(
    "invalid_api_key",
    `Send a valid ${mode} API key: "Authorization: Bearer svc_${mode}_…".`,
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

/** A limit of an owner, for a request that no key brings: the same counter that all their keys share. */
export function ownerLimit(name: OwnerLimit, { mode, ownerId }: Tenant): RequestLimit {
  return new RequestLimit(name, `${mode}:${ownerId}`);
}
