import { recoveryRules } from "#lib/account/take-recovery-effect.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";
import { loginCore } from "#lib/platform/login.ts";
import { REDEEMABLE_FLOWS } from "#lib/sign-in/flows.ts";
import { answerSignIn } from "#lib/sign-in/sign-in.ts";

/** Signs the browser in that started an answered login, in one request. */
export const POST = endpoint({}, ({ request, requestId, count }) =>
  answerSignIn(
    {
      ...{ core: loginCore(), request, requestId },
      body: (schema) => parseBody(request, schema),
      countFailure: () => count(limitOfClient("failed-sign-in", request)),
    },
    REDEEMABLE_FLOWS.svc,
    recoveryRules(),
  ),
);
