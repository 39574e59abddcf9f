import "server-only";
import { HOSTED_LOGINS } from "#lib/customer/store/database-store.ts";
import { FAST_LOGINS } from "#lib/fast/fast-logins.ts";
import { type RedeemableFlow, SITE_LOGINS } from "#lib/login/server/redeem-login.ts";

/** The logins that sign in here, by the names of their providers: `signIn("svc", { sid })`. */
export const REDEEMABLE_FLOWS = {
  svc: SITE_LOGINS,
  fast: FAST_LOGINS,
  hosted: HOSTED_LOGINS,
} satisfies Record<string, RedeemableFlow>;
