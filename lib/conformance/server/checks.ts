import { type Check, checksOf } from "../check.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { CHALLENGE_FORMAT_CHECKS } from "./challenge-format.ts";
import { CHALLENGE_LIFE_CHECKS } from "./challenge-life.ts";
import { CHALLENGE_MATCH_CHECKS } from "./challenge-match.ts";
import { CODE_ANSWER_CHECKS } from "./code-answers.ts";
import { CONTINUING_CHECKS } from "./continuing.ts";
import { ERROR_CHECKS } from "./errors.ts";
import { FAMILIES_OF_LOGIN } from "./families.ts";
import { HEADER_CHECKS } from "./headers.ts";
import { HOSTILE_INPUT_CHECKS } from "./hostile-input.ts";
import { KEY_CHECKS } from "./keys.ts";
import { PAYLOAD_CHECKS } from "./payload.ts";
import { REDEEMING_CHECKS } from "./redeeming.ts";
import { RESPONSE_CHECKS } from "./responses.ts";
import { SHOWN_INTENT_CHECKS } from "./shown-intents.ts";
import { SIGNATURE_CHECKS } from "./signatures.ts";
import { SIGN_IN_CHECKS } from "./signing-in.ts";
import { SIGN_OUT_CHECKS } from "./signing-out.ts";
import type { Site } from "./site.ts";
import { SPENDING_CHECKS } from "./spending.ts";
import { STATUS_CHECKS } from "./status.ts";
import { TAKING_BACK_CHECKS } from "./taking-back.ts";

/**
 * Every check of a site's own login, in the order of docs/protocol.md. The large burst comes while limits are fresh. It
 * leaves few registrations for the first minute, so what needs none comes next: at the end it would take a third one.
 */
export const LOGIN_CHECKS: readonly Check<Site>[] = checksOf(
  FAMILIES_OF_LOGIN,
  SPENDING_CHECKS,
  SHOWN_INTENT_CHECKS,
  TAKING_BACK_CHECKS,
  ASKING_BROWSER_CHECKS,
  CHALLENGE_MATCH_CHECKS,
  CHALLENGE_LIFE_CHECKS,
  CHALLENGE_FORMAT_CHECKS,
  PAYLOAD_CHECKS,
  CODE_ANSWER_CHECKS,
  KEY_CHECKS,
  SIGNATURE_CHECKS,
  RESPONSE_CHECKS,
  ERROR_CHECKS,
  HOSTILE_INPUT_CHECKS,
  HEADER_CHECKS,
  STATUS_CHECKS,
  SIGN_IN_CHECKS,
  CONTINUING_CHECKS,
  REDEEMING_CHECKS,
  SIGN_OUT_CHECKS,
);
