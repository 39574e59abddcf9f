import { issueDemoCode } from "#lib/hosted-demo/demo-login.ts";
import { browserCookie, readBrowserCookie } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";

/** The demo customer's code for this browser, from its session at the hosted API. */
export const GET = endpoint({ limit: "hosted-demo-qr" }, async ({ request, query }) => {
  const before = readBrowserCookie(request.headers.get("cookie"), env().SECURE);
  const { code, secret } = await issueDemoCode(query.sid ?? null, before);
  return jsonResponse(200, code, { "Set-Cookie": browserCookie(secret, env().SECURE) });
});
