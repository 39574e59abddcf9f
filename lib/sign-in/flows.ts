import "server-only";
import { FAST_LOGINS } from "#lib/fast/fast-logins.ts";
import { DEMO_LOGINS } from "#lib/hosted-demo/demo-login.ts";
import type { LoginFlow } from "#lib/login/server/core.ts";
import { type RedeemableFlow, SITE_LOGINS } from "#lib/login/server/redeem-login.ts";
import { env } from "#lib/platform/env.ts";

/** The logins that sign in here, by the names of their providers: `signIn("svc", { sid })`. */
export function redeemableFlows(): Record<string, RedeemableFlow> {
  return { svc: SITE_LOGINS, fast: FAST_LOGINS, ...(env().HOSTED_DEMO && { hosted: DEMO_LOGINS }) };
}

/** How the logins of a flow are redeemed; undefined where they do not sign in. */
export function redeemableFlow(flow: LoginFlow): RedeemableFlow | undefined {
  return Object.values(redeemableFlows()).find((each) => each.flow === flow);
}
