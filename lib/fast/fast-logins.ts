import "server-only";
import type { LoginCore } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import { redeemApprovals } from "#lib/login/store/redeem-login.ts";
import { env } from "#lib/platform/env.ts";
import { isFastAddressUnknown, REDEEM_FAST_LOGIN, REDEEM_OR_REGISTER } from "./store/fast-session.ts";

/** How fast logins are redeemed. An address without a user gets one, where FAST_AUTO_REGISTER lets it. */
export const FAST_LOGINS: RedeemableFlow = {
  flow: "fast",
  get statement() {
    return env().FAST_AUTO_REGISTER ? REDEEM_OR_REGISTER : REDEEM_FAST_LOGIN;
  },
  approvals: redeemApprovals("fast"),
};

/** True when this browser's login has an address, but no user has it and none is created. */
export async function isUnregisteredFastLogin(
  { database }: LoginCore,
  sid: string,
  secret: string | null,
): Promise<boolean> {
  if (secret === null || env().FAST_AUTO_REGISTER) return false;
  return isFastAddressUnknown(database, sid, hashSecret(secret));
}
