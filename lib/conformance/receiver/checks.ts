import { type Check, checksOf } from "../check.ts";
import { ANSWER_CHECKS } from "./answers.ts";
import { EVENT_KIND_CHECKS } from "./event-kinds.ts";
import { FAMILIES_OF_RECEIVER } from "./families.ts";
import { HEADER_FAMILY_CHECKS } from "./header-families.ts";
import type { Receiver } from "./receiver.ts";
import { SIGNED_BYTES_CHECKS } from "./signed-bytes.ts";

/** Every check of a receiver of events. */
export const RECEIVER_CHECKS: readonly Check<Receiver>[] = checksOf(
  FAMILIES_OF_RECEIVER,
  SIGNED_BYTES_CHECKS,
  HEADER_FAMILY_CHECKS,
  EVENT_KIND_CHECKS,
  ANSWER_CHECKS,
);
