import "server-only";
import { isUniqueViolation } from "#lib/core/database-error.ts";
import { env } from "#lib/core/env.ts";
import { hashSecret } from "#lib/core/random.ts";
import { isFastAddressUnknown, redeemFastSession } from "#lib/store/fast-session.ts";
import { type RedeemedLogin, type RedeemingBrowser, redeemForBrowser } from "../login/redeem-login.ts";

/**
 * Redeems a login of flow C. The user is the one who holds the address; an address without one gets one, where
 * FAST_AUTO_REGISTER lets it (contract 6).
 */
export async function redeemFastLogin(browser: RedeemingBrowser): Promise<RedeemedLogin | null> {
  return redeemForBrowser("fast", browser, async (redemption) => {
    const redeem = () => redeemFastSession({ ...redemption, makesUser: env().FAST_AUTO_REGISTER });
    try {
      return await redeem();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // Another session has just made a user for the same address.
      return redeem();
    }
  });
}

/** True when this browser's session has an address, but no user has it and none is made (FAST_AUTO_REGISTER). */
export async function isUnregisteredFastLogin(sid: string, secret: string | null): Promise<boolean> {
  return secret !== null && !env().FAST_AUTO_REGISTER && isFastAddressUnknown(sid, hashSecret(secret));
}
