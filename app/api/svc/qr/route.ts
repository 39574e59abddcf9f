import { codeIntent } from "#lib/account/code-intent.ts";
import { isAction } from "#lib/login/protocol/challenge.ts";
import { browserCookie, readBrowserCookie } from "#lib/login/server/browser-cookie.ts";
import { issueLogin } from "#lib/login/server/issue-login.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";

/** Specification 4.1: a session with its challenge and QR payload, bound to this browser (contract 3). */
export const GET = endpoint(
  { limit: "qr", countedWithQuery: true },
  async ({ request, requestId, query, limit }) => {
    const action = query.mode ?? "login";
    if (!isAction(action)) throw new ApiError("invalid_request", 'The mode is "login" or "register".');
    const { answer, secret } = await issueLogin({
      requestId,
      limit,
      action,
      sid: query.sid ?? null,
      intent: await codeIntent(query.intent, action, request.headers),
      secret: readBrowserCookie(request.headers.get("cookie"), env().SECURE),
    });
    return jsonResponse(200, answer, { "Set-Cookie": browserCookie(secret, env().SECURE) });
  },
);
