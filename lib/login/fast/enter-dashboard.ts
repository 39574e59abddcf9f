import { randomUUID } from "node:crypto";
import { addedKeyPath } from "../protocol/paths.ts";
import { readBindingSecret } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import { redeemForBrowser } from "../server/redeem-login.ts";
import { type SentHeaders, userAgentOf } from "../server/sent-headers.ts";
import { currentClaims, currentSession, signedInCookie } from "../server/session-token.ts";
import type { Entrance } from "../site/added-key.ts";
import { fastLogins, isUnregisteredFastLogin } from "./fast-kind.ts";
import { fastTokenTime } from "./protocol.ts";

/**
 * `/dashboard?sid=` (docs/protocol.md#64-get-dashboardsid): signs in the bound browser and takes the sid out of its
 * address bar. A browser that is signed in already continues as it is; any other is told on /fast what to do.
 */
export async function enterDashboard(
  core: LoginCore,
  { registers }: { registers: boolean },
  { sid, headers, requestId }: { sid: string; headers: SentHeaders; requestId: string },
): Promise<Entrance> {
  const cookies = headers.get("cookie");
  const secret = readBindingSecret(cookies, isSecure(core));
  const isFastSid = fastTokenTime(sid) !== null;
  const browser = {
    ...{ requestId, sid, secret, userAgent: userAgentOf(headers), browserSessionId: randomUUID() },
    currentSessionId: (await currentClaims(core, cookies))?.browserSessionId ?? null,
  };
  const redeemed = isFastSid ? await redeemForBrowser(core, fastLogins(registers), browser) : null;
  if (redeemed === "stopped") return { path: addedKeyPath(core, sid), setCookie: null, authenticated: true };
  if (redeemed) {
    return { path: core.afterLogin, setCookie: await signedInCookie(core, redeemed), authenticated: true };
  }
  if (await currentSession(core, headers)) {
    return { path: core.afterLogin, setCookie: null, authenticated: true };
  }
  const unregistered = isFastSid && !registers && (await isUnregisteredFastLogin(core, sid, secret));
  const problem = unregistered ? "unregistered" : "not-signed-in";
  return { path: `/fast?problem=${problem}`, setCookie: null, authenticated: false };
}
