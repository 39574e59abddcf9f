import "server-only";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { isUniqueViolation } from "#lib/core/db.ts";
import { env } from "#lib/core/env.ts";
import { tellRedemption } from "#lib/core/observe/tell-login.ts";
import { hashSecret, newBrowserSessionId } from "#lib/core/random.ts";
import { isFastAddressUnknown, redeemFastSession } from "#lib/store/fast-session.ts";
import type { RedeemedLogin } from "../login/redeem-login.ts";

/**
 * Turns a session that has an address into a signed-in browser: once, and only for the browser that holds the
 * secret (contract 3). The user is the one who holds the address; an address without one gets one, where
 * FAST_AUTO_REGISTER lets it (contract 6).
 * @returns null when there is nothing for this browser to redeem; why is not told
 */
export async function redeemFastLogin(input: {
  sid: string;
  secret: string | null;
  userAgent: string | null;
  requestId: string;
}): Promise<RedeemedLogin | null> {
  if (!input.secret) return tellRedemption("fast", input, null);
  const at = now();
  const browserSessionId = newBrowserSessionId();
  const redemption = {
    now: at,
    sid: input.sid,
    browserHash: hashSecret(input.secret),
    browserSessionId,
    expiresAt: plusSeconds(at, BROWSER_SESSION_SECONDS),
    userAgent: input.userAgent?.slice(0, 300) ?? null,
    makesUser: env().FAST_AUTO_REGISTER,
  };
  const redeemed = await redeemFastSession(redemption).catch((error) => {
    if (!isUniqueViolation(error)) throw error;
    // Another session has just made a user for the same address.
    return redeemFastSession(redemption);
  });
  return tellRedemption("fast", input, redeemed && { userId: redeemed.userId, browserSessionId });
}

/** True when this browser's session has an address, but no user has it and none is made (FAST_AUTO_REGISTER). */
export async function isUnregisteredFastLogin(sid: string, secret: string | null): Promise<boolean> {
  return secret !== null && !env().FAST_AUTO_REGISTER && isFastAddressUnknown(sid, hashSecret(secret));
}
