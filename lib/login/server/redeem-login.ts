import "server-only";
import { now } from "#lib/platform/clock.ts";
import type { LoginFlow } from "#lib/platform/observe/meters.ts";
import { tellRedemption } from "#lib/platform/observe/tell-login.ts";
import { BROWSER_SESSION_SECONDS } from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";
import { type Redemption, redeemLogin } from "../store/login-session.ts";
import { hashSecret } from "./random.ts";

/** A browser that asks to be signed in by a login. */
export type RedeemingBrowser = {
  sid: string;
  /** The secret in its cookie, if any. */
  secret: string | null;
  userAgent: string | null;
  /** Of the browser session that it opens. */
  browserSessionId: string;
  requestId: string;
};

/** A browser that is signed in from now on. */
export type RedeemedLogin = { userId: number; browserSessionId: string };

/**
 * Turns an authenticated login into a signed-in browser: once, and only for the browser that holds the secret
 * (contract 3). A new browser session at every login, so that none can be fixed beforehand.
 * @param redeem the flow's own statement, which does it whole or not at all
 * @returns null when there is nothing for this browser to redeem; why is not told
 */
export async function redeemForBrowser(
  flow: LoginFlow,
  browser: RedeemingBrowser,
  redeem: (redemption: Redemption) => Promise<{ userId: number } | null>,
): Promise<RedeemedLogin | null> {
  const { sid, secret, userAgent, browserSessionId } = browser;
  if (!secret) return tellRedemption(flow, browser, null);
  const at = now();
  const redeemed = await redeem({
    now: at,
    sid,
    browserHash: hashSecret(secret),
    browserSessionId,
    expiresAt: plusSeconds(at, BROWSER_SESSION_SECONDS),
    userAgent: userAgent?.slice(0, 300) ?? null,
  });
  return tellRedemption(flow, browser, redeemed && { userId: redeemed.userId, browserSessionId });
}

/** Redeems a login of flow A. */
export async function redeemLoginForBrowser(browser: RedeemingBrowser): Promise<RedeemedLogin | null> {
  return redeemForBrowser("integrator", browser, redeemLogin);
}
