import { ADDED_KEY_DECISIONS } from "#lib/contracts/added-key.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { readBytes } from "#lib/core/http/read-json.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { decideAddedKey } from "#lib/flows/auth/added-key.ts";
import { answerEntrance } from "#lib/flows/auth/answer-entrance.ts";

/** What the holder of an added key says to the account that it opens: a form, answered by a redirect, without script. */
export const POST = endpoint({}, async ({ request, requestId, carry }) => {
  requireSameOrigin(request);
  const form = new URLSearchParams(Buffer.from(await readBytes(request)).toString("utf8"));
  const decision = ADDED_KEY_DECISIONS.find((name) => name === form.get("decision"));
  if (!decision) {
    throw new ApiError("invalid_request", `The decision is ${ADDED_KEY_DECISIONS.join(" or ")}.`);
  }
  const entrance = await decideAddedKey({
    decision,
    sid: form.get("sid") ?? "",
    attempt: form.get("attempt") ?? undefined,
    callbackUrl: form.get("callbackUrl"),
    secret: readBrowserCookie(request.headers.get("cookie"), env().SECURE),
    userAgent: request.headers.get("user-agent"),
    requestId,
  });
  return answerEntrance(entrance, { request, carry });
});
