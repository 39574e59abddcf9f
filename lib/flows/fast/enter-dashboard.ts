import "server-only";
import { addedKeyPath } from "#lib/contracts/added-key.ts";
import { fastTokenTime } from "#lib/contracts/fast.ts";
import { env } from "#lib/core/env.ts";
import { hashSecret, newBrowserSessionId } from "#lib/core/random.ts";
import { isFastAddressUnknown } from "#lib/store/fast-session.ts";
import { currentSession, presentClaims } from "../auth/current-session.ts";
import { type Entrance, signedInCookie } from "../auth/session-cookie.ts";
import { redeemForBrowser } from "../login/redeem-login.ts";

/**
 * Specification 4.3, the dashboard route: signs in the bound browser and takes the sid out of its address bar. A
 * browser that is signed in already goes on as it is; any other is told on /fast what to do.
 */
export async function enterDashboard(input: {
  sid: string;
  secret: string | null;
  userAgent: string | null;
  requestId: string;
}): Promise<Entrance> {
  const { sid, secret } = input;
  const presentSessionId = (await presentClaims())?.browserSessionId ?? null;
  const login = { ...input, browserSessionId: newBrowserSessionId(), presentSessionId };
  const redeemed = fastTokenTime(sid) === null ? null : await redeemForBrowser("fast", login);
  if (redeemed === "stopped") return { path: addedKeyPath(sid, null), setCookie: null, authenticated: true };
  if (redeemed) return { path: "/dashboard", setCookie: await signedInCookie(redeemed), authenticated: true };
  if (await currentSession()) return { path: "/dashboard", setCookie: null, authenticated: true };
  const unregistered = fastTokenTime(sid) !== null && (await isUnregisteredFastLogin(sid, secret));
  const problem = unregistered ? "unregistered" : "not-signed-in";
  return { path: `/fast?problem=${problem}`, setCookie: null, authenticated: false };
}

/** True when this browser's session has an address, but no user has it and none is made (FAST_AUTO_REGISTER). */
async function isUnregisteredFastLogin(sid: string, secret: string | null): Promise<boolean> {
  return secret !== null && !env().FAST_AUTO_REGISTER && isFastAddressUnknown(sid, hashSecret(secret));
}
