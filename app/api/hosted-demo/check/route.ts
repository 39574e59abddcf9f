import { checkDemoLogin } from "#lib/hosted-demo/demo-login.ts";
import { readBrowserCookie } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSid } from "#lib/platform/http/require-sid.ts";

/** Whether the event of this browser's login has come. */
export const GET = endpoint({ limit: "hosted-demo-check" }, async ({ request, query }) => {
  const secret = readBrowserCookie(request.headers.get("cookie"), env().SECURE);
  return jsonResponse(200, await checkDemoLogin(requireSid(query), secret));
});
