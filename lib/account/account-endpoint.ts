import "server-only";
import { currentClaims } from "#lib/platform/current-session.ts";
import type { Call } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";

/**
 * Mounts a handler of the signed-in user's account at the door. Requests are counted by client address, and by the
 * user whom a token names: what a user asks for can be long, wherever it is asked.
 */
export function accountEndpoint(handle: (call: Call) => Promise<Response>) {
  return endpoint({ limit: "account" }, async (call) => {
    const claims = await currentClaims(call.request.headers);
    if (claims) await requestLimit("account-of-user", String(claims.userId)).take();
    return handle(call);
  });
}
