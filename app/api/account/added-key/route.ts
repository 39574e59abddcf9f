import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { readBytes } from "#lib/platform/http/read-json.ts";
import { ADDED_KEY_DECISIONS, decideAddedKey } from "#lib/sign-in/added-key.ts";
import { answerEntrance } from "#lib/sign-in/answer-entrance.ts";

/** What the holder of an added key says to the account that it opens: a form, answered by a redirect, without script. */
export const POST = accountEndpoint(async ({ request, requestId, carry }) => {
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
    secret: readBindingSecret(request.headers.get("cookie"), env().SECURE),
    userAgent: request.headers.get("user-agent"),
    requestId,
  });
  return answerEntrance(entrance, { request, carry });
});
