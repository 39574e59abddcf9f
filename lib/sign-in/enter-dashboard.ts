import "server-only";
import { randomUUID } from "node:crypto";
import { FAST_LOGINS, isUnregisteredFastLogin } from "#lib/fast/fast-logins.ts";
import { fastTokenTime } from "#lib/fast/protocol.ts";
import { addedKeyPath } from "#lib/login/protocol/paths.ts";
import { redeemForBrowser } from "#lib/login/server/redeem-login.ts";
import { currentClaims, currentSession } from "#lib/platform/current-session.ts";
import { loginCore } from "#lib/platform/login.ts";
import type { Entrance } from "./added-key.ts";
import { signedInCookie } from "./signed-in-cookie.ts";

/**
 * `/dashboard?sid=` (docs/protocol.md#64-get-dashboardsid): signs in the bound browser and takes the sid out of its
 * address bar. A browser that is signed in already continues as it is; any other is told on /fast what to do.
 */
export async function enterDashboard(input: {
  sid: string;
  secret: string | null;
  userAgent: string | null;
  requestId: string;
}): Promise<Entrance> {
  const { sid, secret } = input;
  const core = loginCore();
  const isFastSid = fastTokenTime(sid) !== null;
  const currentSessionId = (await currentClaims())?.browserSessionId ?? null;
  const browser = { ...input, browserSessionId: randomUUID(), currentSessionId };
  const redeemed = isFastSid ? await redeemForBrowser(core, FAST_LOGINS, browser) : null;
  if (redeemed === "stopped") return { path: addedKeyPath(core, sid), setCookie: null, authenticated: true };
  if (redeemed) {
    return { path: "/dashboard", setCookie: await signedInCookie(core, redeemed), authenticated: true };
  }
  if (await currentSession()) return { path: "/dashboard", setCookie: null, authenticated: true };
  const unregistered = isFastSid && (await isUnregisteredFastLogin(core, sid, secret));
  const problem = unregistered ? "unregistered" : "not-signed-in";
  return { path: `/fast?problem=${problem}`, setCookie: null, authenticated: false };
}
