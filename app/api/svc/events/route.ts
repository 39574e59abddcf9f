import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { CLIENT_ADDRESS } from "#lib/core/http/headers.ts";
import { requireSid } from "#lib/core/http/require-sid.ts";
import { watchLogin } from "#lib/flows/login/watch-login.ts";

/** Contract 4: the status as server-sent events, for the browser that the session is bound to. */
export const GET = endpoint({ limit: "events" }, async ({ request, query }) => {
  const { headers } = request;
  const browser = {
    secret: readBrowserCookie(headers.get("cookie"), env().SECURE),
    address: headers.get(CLIENT_ADDRESS) ?? "unknown",
  };
  const stream = await watchLogin(requireSid(query), browser, request.signal);
  return new Response(stream, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-store, no-transform" },
  });
});
