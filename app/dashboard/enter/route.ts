import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { userAgentOf } from "#lib/login/server/sent-headers.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { renderForPeople } from "#lib/platform/http/refusal-page.ts";
import { answerEntrance } from "#lib/sign-in/answer-entrance.ts";
import { enterDashboard } from "#lib/sign-in/enter-dashboard.ts";

/** Where `/dashboard?sid=` hands over, since a page can set no cookie: signs in by plain redirects, without script. */
export const GET = endpoint({ render: renderForPeople }, async ({ request, query, requestId, count }) => {
  const entrance = await enterDashboard({
    sid: query.sid ?? "",
    secret: readBindingSecret(request.headers.get("cookie"), env().SECURE),
    userAgent: userAgentOf(request.headers),
    requestId,
  });
  return answerEntrance(entrance, { request, count });
});

/** The framework would answer HEAD by running GET, and a HEAD must not sign anybody in. */
export const HEAD = endpoint({}, async () => {
  throw new ApiError("method_not_allowed", "This address answers GET.", { headers: { Allow: "GET" } });
});
