import { isApiMode, type Tenant } from "#lib/hosted/contract/tenant.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Call } from "#lib/platform/http/call.ts";
import { endpoint, requireSameOrigin } from "#lib/platform/http/endpoint.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";
import { consoleTenant } from "./require-console.ts";

/**
 * Makes a route handler of the console: for a signed-in user and from a page of ours, with the tenant that the user
 * is in the path's mode.
 */
export function consoleEndpoint(handle: (caller: Tenant, call: Call) => Promise<Response>) {
  return endpoint({}, async (call) => {
    requireSameOrigin(call.request);
    const { mode } = call.params;
    if (!isApiMode(mode)) throw new ApiError("not_found", "There is nothing at this address.");
    const caller = await consoleTenant(mode);
    if (!caller) throw new ApiError("not_signed_in", "Your sign-in has ended. Sign in again.");
    // Not their keys' own: a stolen key that is used all the time must not keep its tenant from revoking it.
    await call.count(requestLimit("other", `console:${caller.tenantId}`));
    return handle(caller, call);
  });
}
