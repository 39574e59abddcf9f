import { type Check, checksOf } from "../check.ts";
import { HOSTED_TEXTS } from "../texts/hosted.ts";
import type { Api } from "./api.ts";
import { AUTHENTICATION_CHECKS, TENANT_CHECKS } from "./authentication.ts";
import { DOMAIN_CHECKS, LIST_CHECKS } from "./domains.ts";
import { EVENT_ATTEMPT_CHECKS, EVENT_CHECKS } from "./events.ts";
import { HOSTED_LIMIT_CHECKS, RULE_CHECKS } from "./rules.ts";
import { IDEMPOTENCY_CHECKS, SESSION_LIFE_CHECKS } from "./session-life.ts";
import { SESSION_CHECKS } from "./sessions.ts";
import { SESSION_RESPONSE_CHECKS, VERIFY_CHECKS } from "./signatures.ts";
import { WEBHOOK_URL_CHECKS } from "./webhook-urls.ts";

/** Every check of a hosted API. The large burst comes early, before limits are used up. */
export const HOSTED_CHECKS: readonly Check<Api>[] = checksOf(HOSTED_TEXTS, {
  ...SESSION_RESPONSE_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...TENANT_CHECKS,
  ...SESSION_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...SESSION_LIFE_CHECKS,
  ...VERIFY_CHECKS,
  ...DOMAIN_CHECKS,
  ...WEBHOOK_URL_CHECKS,
  ...LIST_CHECKS,
  ...EVENT_CHECKS,
  ...EVENT_ATTEMPT_CHECKS,
  ...RULE_CHECKS,
  ...HOSTED_LIMIT_CHECKS,
});
