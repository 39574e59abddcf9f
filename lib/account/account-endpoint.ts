import type { Call } from "#lib/login/http/call.ts";
import { endpoint, requireSameOrigin } from "#lib/platform/http/endpoint.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";

/**
 * Mounts a handler of the signed-in user's account at the door. Another site's page changes nothing, and uses up
 * nobody's limit. Requests are counted by client address and not by user: a thief with a session must not be able to
 * keep its owner from ending it.
 */
export function accountEndpoint(handle: (call: Call) => Promise<Response>) {
  return endpoint({}, async (call) => {
    const { request } = call;
    if (request.method !== "GET" && request.method !== "HEAD") requireSameOrigin(request);
    await call.count(limitOfClient("account", request));
    return handle(call);
  });
}
