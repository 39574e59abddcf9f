import { z } from "zod";
import { type Refusal, refusal } from "#lib/login/protocol/errors.ts";
import { addedKeyPath } from "#lib/login/protocol/paths.ts";
import { type RedeemableFlow, redeemByRequest } from "#lib/login/server/redeem-login.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { assertSameOrigin } from "#lib/platform/http/same-origin.ts";
import { recoveringBrowser } from "#lib/recovery/recovering-browser.ts";
import { countClient, type Route, type SiteCall } from "./answer-login.ts";
import { signedInCookie } from "./signed-in-cookie.ts";
import type { Site } from "./site.ts";
import { recoveryRules } from "./site-recovery.ts";

const SignIn = z.object({ sid: z.string(), attempt: z.string().optional() });

/** `POST /api/svc/sign-in`: signs a browser in by one request, instead of NextAuth's two. */
export function signInRoute(site: Site, flow: RedeemableFlow): Route {
  return {
    ...{ methods: ["POST"], limit: null, countedWithQuery: false, wallets: false },
    handle: (call) => signIn(site, flow, call),
  };
}

/**
 * Redeems an answered login for the same session that NextAuth's `signIn` opens (docs/protocol.md#35-signing-in).
 * @throws {Refusal} 403 for another site's page; 401 `session_not_found` when there is nothing for this browser to
 *   redeem, and why is not told
 */
async function signIn(site: Site, flow: RedeemableFlow, call: SiteCall): Promise<Response> {
  const { request, requestId } = call;
  const { core } = site;
  const { headers } = request;
  assertSameOrigin(request, core.origin);
  const { sid, attempt } = await call.body(SignIn);
  const { recovering, setCookie } = recoveringBrowser(core, headers, recoveryRules(site));
  const redeemed = await redeemByRequest(core, recovering(flow), { sid, attempt, headers, requestId });
  const cookie = setCookie();
  if (redeemed === null) {
    // A recovery that waits has not failed.
    if (cookie === null) await countClient(site, "failed-sign-in", call);
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
