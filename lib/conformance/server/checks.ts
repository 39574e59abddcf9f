import type { Check } from "../check.ts";
import { BINDING_CHECKS } from "./binding.ts";
import { CHALLENGE_CHECKS } from "./challenges.ts";
import { ERROR_CHECKS } from "./errors.ts";
import { FORMAT_CHECKS } from "./formats.ts";
import { HEADER_CHECKS } from "./headers.ts";
import { HOSTILE_INPUT_CHECKS } from "./hostile-input.ts";
import { KEY_CHECKS } from "./keys.ts";
import { LIMIT_CHECKS } from "./limits.ts";
import { RESPONSE_CHECKS } from "./responses.ts";
import { SIGNATURE_CHECKS } from "./signatures.ts";
import type { Site } from "./site.ts";
import { STATUS_CHECKS } from "./status.ts";

/** Every check of a site's own login, in the order of docs/protocol.md. The large burst comes while limits are fresh. */
export const LOGIN_CHECKS: readonly Check<Site>[] = [
  ...CHALLENGE_CHECKS,
  ...FORMAT_CHECKS,
  ...KEY_CHECKS,
  ...SIGNATURE_CHECKS,
  ...RESPONSE_CHECKS,
  ...ERROR_CHECKS,
  ...HOSTILE_INPUT_CHECKS,
  ...HEADER_CHECKS,
  ...LIMIT_CHECKS,
  ...STATUS_CHECKS,
  ...BINDING_CHECKS,
];
