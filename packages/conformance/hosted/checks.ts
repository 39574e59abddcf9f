import { type Check, checksOf } from "../check.ts";
import { HOSTED_TEXTS } from "../texts/hosted.ts";
import type { Api } from "./api.ts";
import { AUTHENTICATION_CHECKS } from "./authentication.ts";
import { DOMAIN_CHECKS } from "./domains.ts";
import { EVENT_CHECKS } from "./events.ts";
import { HOSTED_RULE_CHECKS } from "./rules.ts";
import { SESSION_CHECKS } from "./sessions.ts";
import { SESSION_RESPONSE_CHECKS, VERIFY_CHECKS } from "./signatures.ts";

/** Every check of a hosted API. The large burst comes early, before limits are used up. */
export const HOSTED_CHECKS: readonly Check<Api>[] = checksOf(HOSTED_TEXTS, {
  ...SESSION_RESPONSE_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...SESSION_CHECKS,
  ...VERIFY_CHECKS,
  ...DOMAIN_CHECKS,
  ...EVENT_CHECKS,
  ...HOSTED_RULE_CHECKS,
});
