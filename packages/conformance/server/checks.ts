import { type Check, checksOf } from "../check.ts";
import { SITE_TEXTS } from "../texts/site.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { CHALLENGE_CHECKS, SPENDING_CHECKS } from "./challenges.ts";
import { CODE_CHECKS } from "./codes.ts";
import { RESPONSE_CHECKS, SHOWN_INTENT_CHECKS } from "./responses.ts";
import { RULE_CHECKS } from "./rules.ts";
import { SIGN_IN_CHECKS } from "./signing-in.ts";
import type { Site } from "./site.ts";
import { STATUS_CHECKS } from "./status.ts";
import { UNDO_CHECKS } from "./undo.ts";

/**
 * Every check of a site's own login. The large burst comes first, before limits are used up. It leaves few
 * registrations for the first minute, so checks that need none come next; at the end they would take a third minute.
 */
export const LOGIN_CHECKS: readonly Check<Site>[] = checksOf(SITE_TEXTS, {
  ...SPENDING_CHECKS,
  ...SHOWN_INTENT_CHECKS,
  ...UNDO_CHECKS,
  ...ASKING_BROWSER_CHECKS,
  ...CHALLENGE_CHECKS,
  ...CODE_CHECKS,
  ...RESPONSE_CHECKS,
  ...RULE_CHECKS,
  ...STATUS_CHECKS,
  ...SIGN_IN_CHECKS,
});
