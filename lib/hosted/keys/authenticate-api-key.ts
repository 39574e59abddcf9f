import { database } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { createClientLimit, createRequestLimit } from "#lib/platform/http/rate-limit.ts";
import type { RequestCounts } from "#packages/login/database/sql-function.ts";
import type { EndpointCall } from "#packages/login/http/call.ts";
import type { RequestLimit } from "#packages/login/http/request-limit.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { addSeconds } from "#packages/login/protocol/numbers.ts";
import { hashSecret } from "#packages/login/server/random.ts";
import { readTruncatedHeader } from "#packages/login/server/web-request.ts";
import type { TenantLimit } from "../contract/operation.ts";
import { API_MODES, type ApiMode, type Tenant } from "../contract/tenant.ts";
import { API_KEY_LAST_USE_INTERVAL_SECONDS } from "../numbers.ts";

const SECRET_CHARACTERS = 43;
const KEY = new RegExp(`^svc_(${API_MODES.join("|")})_[A-Za-z0-9_-]{${SECRET_CHARACTERS}}$`);

/**
 * Counts the request against the tenant or, without a valid key, against the client address. API keys are looked up by
 * their hash, so timing reveals nothing. A valid key is accepted even from an address with too many failures (decision
 * 25).
 * @param options.mode the mode of the base path; the other mode's keys are not valid
 * @throws {Refusal} 401 `invalid_api_key`; 429 if the limit is used up
 */
export async function authenticateApiKey(
  { request, count }: EndpointCall,
  { mode, limitName }: { mode: ApiMode; limitName: TenantLimit },
): Promise<Tenant> {
  const key = /^Bearer +(\S+) *$/i.exec(readTruncatedHeader(request.headers, "authorization"))?.[1] ?? "";
  if (KEY.exec(key)?.[1] === mode) {
    const hash = hashSecret(key);
    const limit = createRequestLimit(limitName, `${mode}:`, Buffer.from(hash).toString("base64url"));
    const caller = await findCaller(hash, mode, limit);
    if (caller) {
      await count(limit);
      return caller;
    }
  }
  await count(createClientLimit("failed-key", request));
  throw refusal("invalid_api_key", `Send a valid ${mode} API key: "Authorization: Bearer svc_${mode}_…".`, {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

const FIND_CALLER = svcFunction("find_caller", [
  "counterPrefix",
  "network",
  "maxRequests",
  "maxNetworkRequests",
  "windowSeconds",
  "keyHash",
  "keyMode",
  "now",
  "touchedBefore",
]);

/**
 * Also counts the request against the tenant, and records the key's last use, once a minute. Returns null without
 * counting if the key is unknown, revoked or for the other mode.
 */
async function findCaller(
  hash: Uint8Array<ArrayBuffer>,
  mode: ApiMode,
  limit: RequestLimit,
): Promise<Tenant | null> {
  const at = now();
  const row = await limit.countWith(async (count) => {
    const values = [...count, hash, mode, at, addSeconds(at, -API_KEY_LAST_USE_INTERVAL_SECONDS)];
    return (await database().run<RequestCounts & { tenant_id: string }>(FIND_CALLER, values))[0];
  });
  return row ? { tenantId: row.tenant_id, mode } : null;
}

/** For a request from the console. Requests with the tenant's API keys share the counter. */
export function createTenantLimit(name: TenantLimit, { mode, tenantId }: Tenant): RequestLimit {
  return createRequestLimit(name, `${mode}:${tenantId}`);
}
