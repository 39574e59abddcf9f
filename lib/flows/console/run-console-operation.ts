import "server-only";
import { matchOperationPath } from "#lib/contracts/hosted/match-operation.ts";
import type { Tenant } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import type { Call } from "#lib/core/http/endpoint.ts";
import { HANDLERS } from "../hosted/handlers.ts";
import { ownerLimit } from "../keys/authenticate-key.ts";

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
