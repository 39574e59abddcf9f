import "server-only";
import { currentClaims } from "#lib/platform/current-session.ts";
import type { Call } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/**
 * Mounts a handler of the signed-in user's account at the door. Another site's page changes nothing, and does not use
 * up the user's limit. Requests are counted by client address, and by the user whom a token names: what a user asks
 * for can be long, wherever it is asked.
 */
export function accountEndpoint(handle: (call: Call) => Promise<Response>) {
  return endpoint({ limit: "account" }, async (call) => {
    const { method, headers } = call.request;
    if (method !== "GET" && method !== "HEAD") requireSameOrigin(call.request);
    const claims = await currentClaims(headers);
    if (claims) await requestLimit("account-of-user", String(claims.userId)).take();
    return handle(call);
  });
}
