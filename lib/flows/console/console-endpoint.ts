import "server-only";
import { isApiMode } from "#lib/contracts/hosted/tenant.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { type Call, endpoint } from "#lib/core/http/endpoint.ts";
import { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { type ConsoleCaller, consoleTenant } from "./console-tenant.ts";

/**
 * Makes a route handler of the console: for a signed-in user and from a page of ours, with the tenant that the user
 * is in the path's mode.
 */
export function consoleEndpoint(handle: (caller: ConsoleCaller, call: Call) => Promise<Response>) {
  return endpoint({}, async (call) => {
    requireSameOrigin(call.request);
    const { mode } = call.params;
    if (!isApiMode(mode)) throw new ApiError("not_found", "There is nothing at this address.");
    const caller = await consoleTenant(mode);
    if (!caller) throw new ApiError("not_signed_in", "Your sign-in has ended. Sign in again.");
    // Not their keys' own: a stolen key that is used all the time must not keep its owner from revoking it.
    const limit = new RequestLimit("other", `console:${caller.ownerId}`);
    call.carry(limit);
    await limit.take();
    return handle(caller, call);
  });
}
