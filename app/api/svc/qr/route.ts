import { isAction } from "#lib/contracts/challenge.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { browserCookie, readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { codeIntent } from "#lib/flows/auth/code-intent.ts";
import { issueLogin } from "#lib/flows/login/issue-login.ts";

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
