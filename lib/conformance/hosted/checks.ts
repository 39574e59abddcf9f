import { type Check, checksOf } from "../check.ts";
import { FAMILIES_OF_LOGIN } from "../server/families.ts";
import type { Api } from "./api.ts";
import { AUTHENTICATION_CHECKS } from "./authentication.ts";
import { DOMAIN_CHECKS } from "./domains.ts";
import { EVENT_ATTEMPT_CHECKS } from "./event-attempts.ts";
import { EVENT_CHECKS } from "./events.ts";
import { FAMILIES_OF_HOSTED_API } from "./families.ts";
import { IDEMPOTENCY_CHECKS } from "./idempotency.ts";
import { HOSTED_LIMIT_CHECKS } from "./limits.ts";
import { LIST_CHECKS } from "./lists.ts";
import { SESSION_RESPONSE_CHECKS } from "./responses.ts";
import { RULE_CHECKS } from "./rules.ts";
import { SESSION_LIFE_CHECKS } from "./session-life.ts";
import { SESSION_CHECKS } from "./sessions.ts";
import { TENANT_CHECKS } from "./tenants.ts";
import { VERIFY_CHECKS } from "./verify.ts";
import { WEBHOOK_URL_CHECKS } from "./webhook-urls.ts";

/** Every check of a hosted API. The large burst comes while limits are fresh. */
export const HOSTED_CHECKS: readonly Check<Api>[] = checksOf(
  [...FAMILIES_OF_LOGIN, ...FAMILIES_OF_HOSTED_API],
  SESSION_RESPONSE_CHECKS,
  AUTHENTICATION_CHECKS,
  TENANT_CHECKS,
  SESSION_CHECKS,
  IDEMPOTENCY_CHECKS,
  SESSION_LIFE_CHECKS,
  VERIFY_CHECKS,
  DOMAIN_CHECKS,
  WEBHOOK_URL_CHECKS,
  LIST_CHECKS,
  EVENT_CHECKS,
  EVENT_ATTEMPT_CHECKS,
  RULE_CHECKS,
  HOSTED_LIMIT_CHECKS,
);
