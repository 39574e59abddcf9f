import type { LoginCore } from "../server/core.ts";
import { hashSecret } from "../server/random.ts";
import type { RedeemableFlow } from "../server/redeem-login.ts";
import { redeemApprovals } from "../store/redeem-login.ts";
import { isFastAddressUnknown, REDEEM_FAST_LOGIN, REDEEM_OR_REGISTER } from "./store/fast-session.ts";

/** How fast logins are redeemed. @param registers whether an address without a user gets one */
export function fastLogins(registers: boolean): RedeemableFlow {
  return {
    flow: "fast",
    statement: registers ? REDEEM_OR_REGISTER : REDEEM_FAST_LOGIN,
    approvals: redeemApprovals("fast"),
  };
}

/** True when this browser's login has an address that no user has, so that it cannot be redeemed. */
export async function isUnregisteredFastLogin(
  { database }: LoginCore,
  sid: string,
  secret: string | null,
): Promise<boolean> {
  return secret !== null && isFastAddressUnknown(database, sid, hashSecret(secret));
}
