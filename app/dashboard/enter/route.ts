import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { createEndpoint, renderRateLimitPage } from "#lib/platform/http/endpoint.ts";
import { createClientLimit } from "#lib/platform/http/rate-limit.ts";
import { signInOnDashboard } from "#packages/login/plugins/fast/fast.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { signInRedirectResponse } from "#packages/login/site/sign-in.ts";

/**
 * Signs the browser in using redirects, so no script is needed. `/dashboard?sid=` redirects here, because a page cannot
 * set a cookie.
 */
export const GET = createEndpoint(
  { render: renderRateLimitPage },
  async ({ request, query, requestId, count }) => {
    const entering = { sid: query.sid ?? "", headers: request.headers, requestId };
    const entrance = await signInOnDashboard(loginCore(), { registers: env().FAST_AUTO_REGISTER }, entering);
    if (!entrance.authenticated) await count(createClientLimit("failed-entrance", request));
    return signInRedirectResponse(entrance);
  },
);

/** Next.js would run GET for a HEAD request, and a HEAD request must not sign anyone in. */
export const HEAD = createEndpoint({}, async () => {
  throw refusal("method_not_allowed", "This URL accepts only GET.", { headers: { Allow: "GET" } });
});
