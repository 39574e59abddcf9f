import { readCodeIntent } from "#lib/account/code-intent.ts";
import { issueFastLogin } from "#lib/fast/issue-fast-login.ts";
import { bindingSetCookie, readBindingSecret } from "#lib/login/server/cookies.ts";
import { currentSession } from "#lib/platform/current-session.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { coreOf } from "#lib/platform/login.ts";

/** A QR URL for this browser's fast login, or status 1 when its user is signed in (docs/protocol.md#61-get-apigetqrcode). */
export const GET = endpoint({ limit: "getqrcode", countedWithQuery: true, plainText: true }, async (call) => {
  const { request, requestId, query } = call;
  const sid = query.sid && !["null", "undefined"].includes(query.sid) ? query.sid : null;
  const intent = query.intent === undefined ? null : await readCodeIntent(query.intent, null, request);
  if (intent === null && (await currentSession(request.headers))) {
    return jsonResponse(200, { qr: "", sid: sid ?? "", status: 1 });
  }
  const browserSecret = readBindingSecret(request.headers.get("cookie"), env().SECURE);
  const { answer, secret } = await issueFastLogin(coreOf(call), {
    requestId,
    sid,
    secret: browserSecret,
    intent,
  });
  return jsonResponse(200, answer, { "Set-Cookie": bindingSetCookie(secret, env().SECURE) });
});
