import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import { answerSignIn } from "#lib/sign-in/sign-in.ts";
import { limitOf, type Route } from "./answer-login.ts";
import type { Site } from "./site.ts";
import { recoveryRules } from "./site-recovery.ts";

/** Signs a browser in by one request, instead of NextAuth's two (docs/protocol.md#35-signing-in). */
export function signInRoute(site: Site, flow: RedeemableFlow): Route {
  return {
    ...{ methods: ["POST"], limit: null, countedWithQuery: false, wallets: false },
    async handle(call) {
      const failures = limitOf(site, "failed-sign-in", call.request);
      const countFailure = async () => void (failures && (await call.count(failures)));
      return answerSignIn({ ...call, countFailure }, flow, recoveryRules(site));
    },
  };
}
