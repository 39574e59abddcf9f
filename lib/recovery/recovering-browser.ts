import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { expiredRecoveryCookie, readRecoveryCookie, recoveryCookie } from "./cookie.ts";
import type { OnRecoveryEvent } from "./events.ts";
import { chooseBeforeRedeeming } from "./finish-recovery.ts";
import { RECOVERY_KEPT_SECONDS } from "./numbers.ts";

/** How a site has recoveries take effect. */
export type RecoveryRules = { delaySeconds: number; onEvent: OnRecoveryEvent };

/**
 * A request's browser, if it has a recovery: it finishes that with the login that answers the recovery's code, which
 * is redeemed as any other right afterwards.
 */
export function recoveringBrowser(core: LoginCore, headers: SentHeaders, rules: RecoveryRules) {
  const secure = isSecure(core);
  const secret = readRecoveryCookie(headers.get("cookie"), secure);
  let takesEffectAt: Date | null = null;
  return {
    /** The same flow, with the recovery finished first. */
    recovering<Flow extends RedeemableFlow>(flow: Flow): Flow {
      if (secret === null) return flow;
      const before: RedeemableFlow["before"] = async (login) => {
        takesEffectAt = await chooseBeforeRedeeming(core, login, { secret, ...rules });
        await flow.before?.(login);
      };
      return { ...flow, before };
    },

    /** The `Set-Cookie` header of the answer, or null: of a recovery that waits the browser may read what becomes of it. */
    setCookie(): string | null {
      if (secret === null || takesEffectAt === null) return null;
      const waitSeconds = Math.ceil((takesEffectAt.getTime() - core.now().getTime()) / 1000);
      if (waitSeconds <= 0) return expiredRecoveryCookie(secure);
      return recoveryCookie(secret, waitSeconds + RECOVERY_KEPT_SECONDS, secure);
    },
  };
}
