import { type Check, checksOf } from "../check.ts";
import { RECEIVER_TEXTS } from "../texts/receiver.ts";
import { ANSWER_CHECKS, EVENT_KIND_CHECKS } from "./events.ts";
import type { Receiver } from "./receiver.ts";
import { HEADER_FAMILY_CHECKS, SIGNED_BYTES_CHECKS } from "./signatures.ts";

export const RECEIVER_CHECKS: readonly Check<Receiver>[] = checksOf(RECEIVER_TEXTS, {
  ...SIGNED_BYTES_CHECKS,
  ...HEADER_FAMILY_CHECKS,
  ...EVENT_KIND_CHECKS,
  ...ANSWER_CHECKS,
});
