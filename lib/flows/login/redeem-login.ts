import "server-only";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { tellRedemption } from "#lib/core/observe/tell-login.ts";
import { hashSecret, newBrowserSessionId } from "#lib/core/random.ts";
import { redeemLogin } from "#lib/store/login-session.ts";

/** A browser that is signed in from now on. */
export type RedeemedLogin = { userId: number; browserSessionId: string };

/**
 * Turns an authenticated login into a signed-in browser: once, and only for the browser that holds the secret
 * (contract 3). A new browser session at every login, so that none can be fixed beforehand.
 * @returns null when there is nothing for this browser to redeem; why is not told
 */
export async function redeemLoginForBrowser(input: {
  sid: string;
  secret: string | null;
  userAgent: string | null;
  requestId: string;
}): Promise<RedeemedLogin | null> {
  if (!input.secret) return tellRedemption("integrator", input, null);
  const at = now();
  const browserSessionId = newBrowserSessionId();
  const redeemed = await redeemLogin({
    now: at,
    sid: input.sid,
    browserHash: hashSecret(input.secret),
    browserSessionId,
    expiresAt: plusSeconds(at, BROWSER_SESSION_SECONDS),
    userAgent: input.userAgent?.slice(0, 300) ?? null,
  });
  return tellRedemption("integrator", input, redeemed && { userId: redeemed.userId, browserSessionId });
}
