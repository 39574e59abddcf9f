import { readBrowserCookie } from "#lib/login/server/browser-cookie.ts";
import { watchLogin } from "#lib/login/server/watch-login.ts";
import { env } from "#lib/platform/env.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { CLIENT_ADDRESS } from "#lib/platform/http/headers.ts";
import { requireSid } from "#lib/platform/http/require-sid.ts";

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
