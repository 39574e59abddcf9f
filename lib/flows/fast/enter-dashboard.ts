import "server-only";
import { fastTokenTime } from "#lib/contracts/fast.ts";
import { newBrowserSessionId } from "#lib/core/random.ts";
import { currentSession } from "../auth/current-session.ts";
import { signedInCookie } from "../auth/session-cookie.ts";
import { isUnregisteredFastLogin, redeemFastLogin } from "./redeem-fast-login.ts";

/** Where a browser that came with a sid goes on to, and the cookie that signs it in, if it was not signed in before. */
export type Entrance = { path: string; setCookie: string | null; signedIn: boolean };

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
  const login = { ...input, browserSessionId: newBrowserSessionId() };
  const redeemed = fastTokenTime(sid) === null ? null : await redeemFastLogin(login);
  if (redeemed) return { path: "/dashboard", setCookie: await signedInCookie(redeemed), signedIn: true };
  if (await currentSession()) return { path: "/dashboard", setCookie: null, signedIn: true };
  const unregistered = fastTokenTime(sid) !== null && (await isUnregisteredFastLogin(sid, secret));
  const problem = unregistered ? "unregistered" : "not-signed-in";
  return { path: `/fast?problem=${problem}`, setCookie: null, signedIn: false };
}
