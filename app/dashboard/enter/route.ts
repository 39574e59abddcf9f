import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { limitOfClient } from "#lib/core/http/rate-limit.ts";
import { renderForPeople } from "#lib/core/http/refusal-page.ts";
import { enterDashboard } from "#lib/flows/fast/enter-dashboard.ts";

/**
 * Where `/dashboard?sid=` hands over, since a page can set no cookie: signs in by plain redirects, without script.
 * Those who are not signed in by it are counted by their address (decision 25).
 */
export const GET = endpoint({ render: renderForPeople }, async ({ request, query, requestId, carry }) => {
  const { path, setCookie, signedIn } = await enterDashboard({
    sid: query.sid ?? "",
    secret: readBrowserCookie(request.headers.get("cookie"), env().SECURE),
    userAgent: request.headers.get("user-agent"),
    requestId,
  });
  if (!signedIn) {
    const failures = limitOfClient("failed-entrance", request);
    carry(failures);
    await failures.take();
  }
  const headers = new Headers({ Location: path });
  if (setCookie) headers.set("Set-Cookie", setCookie);
  return new Response(null, { status: 303, headers });
});

/** Not GET without its body, as the framework would have it: asking what is here must not sign anybody in. */
export const HEAD = endpoint({}, async () => {
  throw new ApiError("method_not_allowed", "This address answers GET.", { headers: { Allow: "GET" } });
});
