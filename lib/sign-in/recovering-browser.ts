import "server-only";
import { onRecovered, recoveryDelaySeconds } from "#lib/account/take-recovery-effect.ts";
import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { loginCore } from "#lib/platform/login.ts";
import { expiredRecoveryCookie, readRecoveryCookie, recoveryCookie } from "#lib/recovery/cookie.ts";
import { chooseBeforeRedeeming } from "#lib/recovery/finish-recovery.ts";
import { RECOVERY_KEPT_SECONDS } from "#lib/recovery/numbers.ts";
import { REDEEMABLE_FLOWS } from "./flows.ts";

/**
 * The logins that a request's browser can redeem. One with a recovery finishes it with the login that answers the
 * recovery's code: it is redeemed as any other, right afterwards.
 */
export function recoveringBrowser(request: Request) {
  const secret = readRecoveryCookie(request.headers.get("cookie"), env().SECURE);
  if (secret === null) return { flows: REDEEMABLE_FLOWS, setCookie: () => null };
  let takesEffectAt: Date | null = null;
  const before: RedeemableFlow["before"] = async (login) => {
    const delaySeconds = recoveryDelaySeconds();
    takesEffectAt = await chooseBeforeRedeeming(loginCore(), login, { secret, delaySeconds, onRecovered });
  };
  return {
    flows: {
      ...REDEEMABLE_FLOWS,
      svc: { ...REDEEMABLE_FLOWS.svc, before },
      fast: { ...REDEEMABLE_FLOWS.fast, before },
    },
    /** The permission is used up; of a recovery that waits the browser may still read what becomes of it. */
    setCookie: () => (takesEffectAt ? finishedCookie(secret, takesEffectAt) : null),
  };
}

function finishedCookie(secret: string, takesEffectAt: Date): string {
  const waitSeconds = Math.ceil((takesEffectAt.getTime() - now().getTime()) / 1000);
  if (waitSeconds <= 0) return expiredRecoveryCookie(env().SECURE);
  return recoveryCookie(secret, waitSeconds + RECOVERY_KEPT_SECONDS, env().SECURE);
}
