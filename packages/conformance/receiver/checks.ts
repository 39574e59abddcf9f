import { type Check, checksOf, type Families } from "../check.ts";
import { ANSWER_CHECKS, EVENT_KIND_CHECKS } from "./events.ts";
import type { Receiver } from "./receiver.ts";
import { HEADER_FAMILY_CHECKS, SIGNED_BYTES_CHECKS } from "./signatures.ts";

/** The checks of a receiver of events, by what they guard. */
export const FAMILIES_OF_RECEIVER: Families = {
  "Only the API's own events count": {
    of: [
      ...["5.6-unsigned", "5.6-other-secret", "5.6-changed-body", "5.6-signature-whole", "5.6-keys"],
      ...["5.6-other-version", "5.6-signed-id", "5.6-raw-bytes"],
    ],
    why: "The address of a receiver is no secret. Whoever posts an event that is believed signs in as anybody.",
    mend: "Read the request's bytes before any JSON parser, compute the HMAC over them, and compare it with `timingSafeEqual` in full length. Only then parse. A library of Standard Webhooks does it all.",
  },
  "Old events do not count": {
    of: ["5.6-old", "5.6-future", "5.6-signed-timestamp"],
    why: "A recorded event would sign its user in again, whenever somebody sends it once more.",
    mend: "Take `webhook-timestamp` into the signed text, and refuse what is more than five minutes away from your clock. Remember each `webhook-id` that was taken.",
  },
  "Good events are taken": {
    of: ["5.6-"],
    why: "What is not answered with a 2xx comes again for three days, and a user waits for a login that was lost.",
    mend: "Answer 200 as soon as the event is verified and stored, also when it comes twice, late, out of order, or is of a kind that you do not know. Do the work afterwards.",
  },
};

/** Every check of a receiver of events. */
export const RECEIVER_CHECKS: readonly Check<Receiver>[] = checksOf(
  FAMILIES_OF_RECEIVER,
  SIGNED_BYTES_CHECKS,
  HEADER_FAMILY_CHECKS,
  EVENT_KIND_CHECKS,
  ANSWER_CHECKS,
);
