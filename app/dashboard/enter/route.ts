import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { renderForPeople } from "#lib/core/http/refusal-page.ts";
import { answerEntrance } from "#lib/flows/auth/answer-entrance.ts";
import { enterDashboard } from "#lib/flows/fast/enter-dashboard.ts";

/** Where `/dashboard?sid=` hands over, since a page can set no cookie: signs in by plain redirects, without script. */
export const GET = endpoint({ render: renderForPeople }, async ({ request, query, requestId, carry }) => {
  const entrance = await enterDashboard({
    sid: query.sid ?? "",
    secret: readBrowserCookie(request.headers.get("cookie"), env().SECURE),
    userAgent: request.headers.get("user-agent"),
    requestId,
  });
  return answerEntrance(entrance, { request, carry });
});

/** Not GET without its body, as the framework would have it: asking what is here must not sign anybody in. */
export const HEAD = endpoint({}, async () => {
  throw new ApiError("method_not_allowed", "This address answers GET.", { headers: { Allow: "GET" } });
});
