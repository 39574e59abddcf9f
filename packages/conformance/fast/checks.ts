import { type Check, checksOf } from "../check.ts";
import { FAST_TEXTS } from "../texts/fast.ts";
import { FAST_BODY_CHECKS } from "./bodies.ts";
import { FAST_CHALLENGE_CHECKS, FAST_KEPT_CHECKS } from "./challenges.ts";
import { FAST_CODE_CHECKS, FAST_COOKIE_CHECKS, FAST_FORMAT_CHECKS, FAST_STATUS_CHECKS } from "./codes.ts";
import { FAST_RULE_CHECKS } from "./rules.ts";
import { FAST_SIGNATURE_CHECKS } from "./signatures.ts";
import { FAST_SIGN_IN_CHECKS } from "./signing-in.ts";
import type { FastSite } from "./site.ts";

/** Every check of a fast login. The burst comes first, before limits are used up. */
export const FAST_CHECKS: readonly Check<FastSite>[] = checksOf(FAST_TEXTS, {
  ...FAST_CHALLENGE_CHECKS,
  ...FAST_FORMAT_CHECKS,
  ...FAST_CODE_CHECKS,
  ...FAST_KEPT_CHECKS,
  ...FAST_COOKIE_CHECKS,
  ...FAST_SIGNATURE_CHECKS,
  ...FAST_BODY_CHECKS,
  ...FAST_STATUS_CHECKS,
  ...FAST_SIGN_IN_CHECKS,
  ...FAST_RULE_CHECKS,
});
