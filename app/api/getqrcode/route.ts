import { env } from "#lib/core/env.ts";
import { browserCookie, readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { codeIntent } from "#lib/flows/auth/code-intent.ts";
import { currentSession } from "#lib/flows/auth/current-session.ts";
import { issueFastLogin } from "#lib/flows/fast/issue-fast-login.ts";

/** Specification 4.3: a QR URL for this browser's session, or status 1 when its user is signed in already. */
export const GET = endpoint(
  { limit: "getqrcode", countedWithQuery: true, plainText: true },
  async ({ request, requestId, query, limit }) => {
    const sid = query.sid && !["null", "undefined"].includes(query.sid) ? query.sid : null;
    const intent = await codeIntent(query.intent, "login", request.headers);
    if (intent === null && (await currentSession(request.headers))) {
      return jsonResponse(200, { qr: "", sid: sid ?? "", status: 1 });
    }
    const { answer, secret } = await issueFastLogin({
      requestId,
      limit,
      sid,
      secret: readBrowserCookie(request.headers.get("cookie"), env().SECURE),
      intent,
    });
    return jsonResponse(200, answer, { "Set-Cookie": browserCookie(secret, env().SECURE) });
  },
);
