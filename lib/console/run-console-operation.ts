import "server-only";
import { HANDLERS } from "#lib/hosted/api/handlers.ts";
import { matchOperationPath } from "#lib/hosted/contract/match-operation.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { ownerLimit } from "#lib/hosted/keys/authenticate-key.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Call } from "#lib/platform/http/endpoint.ts";

/**
 * Carries out an operation of the hosted API for a user of the console: the same use case, validation and answer as
 * for an API key, so that the console can do what the API can and nothing else, as often. What only reads is not here: pages
 * ask the use cases themselves.
 */
export async function runConsoleOperation(tenant: Tenant, call: Call): Promise<Response> {
  const { pathname } = new URL(call.request.url);
  const path = pathname.slice(`/api/console/${tenant.mode}`.length);
  for (const { operation, run } of HANDLERS) {
    if (operation.method !== call.request.method) continue;
    const params = matchOperationPath(operation, path);
    if (!params) continue;
    if (operation.limit !== "other") {
      const limit = ownerLimit(operation.limit, tenant);
      call.carry(limit);
      await limit.take();
    }
    return run(tenant, params, call);
  }
  throw new ApiError("not_found", "There is nothing at this address.");
}
