import "server-only";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { isUniqueViolation } from "#lib/core/db.ts";
import { env } from "#lib/core/env.ts";
import { log, shortSid } from "#lib/core/log.ts";
import { hashSecret } from "#lib/core/random.ts";
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
  /** Of the browser session that it opens. */
  browserSessionId: string;
}): Promise<RedeemedLogin | null> {
  if (!input.secret) return null;
  const at = now();
  const { browserSessionId } = input;
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
  log().info({ session: shortSid(input.sid), signedIn: redeemed !== null }, "fast login redeemed");
  return redeemed && { userId: redeemed.userId, browserSessionId };
}

/** True when this browser's session has an address, but no user has it and none is made (FAST_AUTO_REGISTER). */
export async function isUnregisteredFastLogin(sid: string, secret: string | null): Promise<boolean> {
  return secret !== null && !env().FAST_AUTO_REGISTER && isFastAddressUnknown(sid, hashSecret(secret));
}
