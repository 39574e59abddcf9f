import "server-only";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { tellRedemption } from "#lib/core/observe/tell-login.ts";
import { hashSecret } from "#lib/core/random.ts";
import { type RedeemedFlow, redeemLogin } from "#lib/store/redemption.ts";

/** A browser that asks to be signed in by a login. */
export type RedeemingBrowser = {
  sid: string;
  /** The secret in its cookie, if any. */
  secret: string | null;
  userAgent: string | null;
  /** Of the browser session that it opens. */
  browserSessionId: string;
  /** Of the browser session that its token names now, if any. */
  presentSessionId: string | null;
  requestId: string;
};

/** A browser that is signed in from now on. */
export type RedeemedLogin = { userId: number; browserSessionId: string };

/** Whether a key or address that no user holds gets a user when its login is redeemed. */
const createsUser: Record<RedeemedFlow, () => boolean> = {
  // Its user was found or made when the wallet answered.
  integrator: () => false,
  fast: () => env().FAST_AUTO_REGISTER,
  hosted: () => true,
};

/**
 * Turns an authenticated login into a signed-in browser: once, and only for the browser that holds the secret
 * (contract 3). A new browser session at every login, so that none can be fixed beforehand.
 * @param continues the holder of an added key has seen which account it opens, and goes on
 * @returns `stopped` when the holder of an added key is asked first; null when there is nothing for this browser to
 *   redeem, and why is not told
 */
export async function redeemForBrowser(
  flow: RedeemedFlow,
  browser: RedeemingBrowser,
  continues = false,
): Promise<RedeemedLogin | "stopped" | null> {
  const { sid, secret, userAgent, browserSessionId, presentSessionId } = browser;
  if (!secret || (flow === "hosted" && !env().HOSTED_DEMO)) return tellRedemption(flow, browser, null);
  const at = now();
  const redemption = {
    now: at,
    sid,
    browserHash: hashSecret(secret),
    browserSessionId,
    expiresAt: plusSeconds(at, BROWSER_SESSION_SECONDS),
    userAgent: userAgent?.slice(0, 300) ?? null,
    presentSessionId,
    continues,
  };
  const outcome = await redeemLogin(flow, redemption, createsUser[flow]());
  if (outcome === null || outcome === "stopped") return tellRedemption(flow, browser, outcome);
  return tellRedemption(flow, browser, { userId: outcome.userId, browserSessionId });
}
