import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { endpoint, renderRateLimitPage } from "#lib/platform/http/endpoint.ts";
import { clientLimit } from "#lib/platform/http/rate-limit.ts";
import { enterDashboard } from "#packages/login/plugins/fast/fast.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { signInRedirectResponse } from "#packages/login/site/sign-in.ts";

/** `/dashboard?sid=` redirects here, because a page cannot set a cookie. Signs in with redirects, without script. */
export const GET = endpoint({ render: renderRateLimitPage }, async ({ request, query, requestId, count }) => {
  const entering = { sid: query.sid ?? "", headers: request.headers, requestId };
  const entrance = await enterDashboard(loginCore(), { registers: env().FAST_AUTO_REGISTER }, entering);
  // An entry without an authenticated login counts against its client address.
  if (!entrance.authenticated) await count(clientLimit("failed-entrance", request));
  return signInRedirectResponse(entrance);
});

/** The framework would answer HEAD by running GET, and a HEAD request must not sign anyone in. */
export const HEAD = endpoint({}, async () => {
  throw refusal("method_not_allowed", "This URL accepts only GET.", { headers: { Allow: "GET" } });
});
