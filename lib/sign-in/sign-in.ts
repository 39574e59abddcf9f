import { z } from "zod";
import { type Refusal, refusal } from "#lib/login/protocol/errors.ts";
import { addedKeyPath } from "#lib/login/protocol/paths.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { type RedeemableFlow, redeemByRequest } from "#lib/login/server/redeem-login.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { assertSameOrigin } from "#lib/platform/http/same-origin.ts";
import type { WebRequest } from "#lib/platform/http/web-request.ts";
import { type RecoveryRules, recoveringBrowser } from "#lib/recovery/recovering-browser.ts";
import { signedInCookie } from "./signed-in-cookie.ts";

const SignIn = z.object({ sid: z.string(), attempt: z.string().optional() });

/** A request to sign in, as the door hands it on. */
export type SignInCall = {
  core: LoginCore;
  request: WebRequest;
  requestId: string;
  /** The JSON body as `schema` describes it. @throws {Refusal} 400, 413, 415 */
  body<Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>>;
  /** Counts a sign-in that failed by the client's address. @throws {Refusal} 429 */
  countFailure(): Promise<void>;
};

/**
 * `POST /api/svc/sign-in` (docs/protocol.md#35-signing-in): redeems an answered login in one request, for the same
 * session that NextAuth's `signIn` opens.
 * @throws {Refusal} 403 for another site's page; 401 `session_not_found` when there is nothing for this browser to
 *   redeem, and why is not told
 */
export async function answerSignIn(
  { core, request, requestId, body, countFailure }: SignInCall,
  flow: RedeemableFlow,
  rules: RecoveryRules,
): Promise<Response> {
  const { headers } = request;
  assertSameOrigin(request, core.origin);
  const { sid, attempt } = await body(SignIn);
  const { recovering, setCookie } = recoveringBrowser(core, headers, rules);
  const redeemed = await redeemByRequest(core, recovering(flow), { sid, attempt, headers, requestId });
  const cookie = setCookie();
  if (redeemed === null) {
    // A recovery that waits has not failed.
    if (cookie === null) await countFailure();
    throw nothingToRedeem(cookie);
  }
  if (redeemed === "stopped") return jsonResponse(200, { redirect: addedKeyPath(core, sid) });
  const response = jsonResponse(200, { redirect: core.afterLogin });
  response.headers.append("Set-Cookie", await signedInCookie(core, redeemed));
  if (cookie) response.headers.append("Set-Cookie", cookie);
  return response;
}

function nothingToRedeem(cookie: string | null): Refusal {
  const message = "There is no answered login of this browser by that sid. Ask /api/svc/qr for a new code.";
  return refusal("session_not_found", message, {
    status: 401,
    headers: cookie ? { "Set-Cookie": cookie } : {},
  });
}
