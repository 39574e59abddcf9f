import type { IdOf, Texts } from "../check.ts";

/** What the checks of a receiver of events require, by what they protect. */
export const RECEIVER_TEXTS = {
  "Valid events are accepted": {
    why: "An event that does not get a 2xx is sent again for three days, while a user waits for a login that was lost.",
    fix: "Answer 200 as soon as the event is verified and stored, even if it is a duplicate, late, out of order, or of an unknown type. Do the work afterwards.",
    svcLogin: "`createHostedLogin` verifies events with `SVC_WEBHOOK_SECRET`, the secret of this domain. Its routes are mounted in `app/api/svc/[...path]/route.ts`.",
    checks: {
      "5.6-taken": { requirement: "A receiver MUST answer 2xx to a correctly signed event.", cause: "The secret is wrong, or the signature is computed over the parsed body instead of its bytes. Start here." },
      "5.6-late": { requirement: "A receiver MUST accept an event that was in transit for a minute.", cause: "The tolerance is only a few seconds, so a slow network loses events." },
      "5.6-rotation": { requirement: "A receiver MUST accept an event if any of the signatures in `webhook-signature` verifies.", cause: "The header is compared as a whole, so every rotation of the secret loses events." },
      "5.6-svc-signature": { requirement: "A receiver that verifies `x-svc-signature` MUST NOT require any other header.", cause: "Both kinds of signature are required, so the simple one is useless." },
      "5.6-again": { requirement: "A receiver MUST acknowledge an event that arrives again.", cause: "The second insert violates a constraint and causes a 500, so the event is sent for three days." },
      "5.6-at-once": { requirement: "A receiver MUST acknowledge each of several simultaneous copies of an event.", cause: "The check whether an event was processed is read and written in separate steps." },
      "5.6-order": { requirement: "A receiver MUST accept an older event after a newer one.", cause: "The receiver stores the last timestamp and refuses earlier ones." },
      "5.6-test-event": { requirement: "A receiver MUST accept the event `test`.", cause: "Its `session_id` is looked up and not found." },
      "5.6-unknown-session": { requirement: "A receiver MUST acknowledge an event for a session that it does not know.", cause: "The answer is a 404, so the event is sent for three days." },
      "5.6-unknown-type": { level: "SHOULD", requirement: "A receiver SHOULD acknowledge an event of an unknown type.", cause: "The default case of a `switch` throws." },
      "5.6-unknown-fields": { requirement: "A receiver MUST ignore unknown fields.", cause: "The validation of the body is strict." },
      "5.6-chunked": { level: "SHOULD", requirement: "A receiver SHOULD accept a chunked body without a length.", cause: "It reads as many bytes as `Content-Length` says, which is none if a proxy forwards the body in chunks." },
      "5.6-malformed": { requirement: "A receiver MUST NOT answer 5xx to a signed body that is not an event.", cause: "An exception of `JSON.parse`, or of a missing field, is not caught." },
      "5.6-error-body": { level: "SHOULD", requirement: 'A refusal SHOULD be JSON: `{"error":"<message>"}`.', cause: "The refusal is text or empty, so the delivery log does not help." },
      "5.6-no-redirect": { requirement: "A receiver MUST NOT redirect, because the hosted API does not follow redirects.", cause: "The URL lacks its final slash, or has http instead of https." },
      "5.6-in-time": { requirement: "A receiver MUST answer within 15 seconds, when an attempt ends.", cause: "The work is done before the answer. Put it into a queue." },
      "5.6-method": { level: "SHOULD", requirement: "A receiver SHOULD answer 4xx to a GET.", cause: "The handler does not check the method." },
    },
  },
  "Only the API's own events count": {
    why: "The URL of a receiver is not secret. If a forged event is accepted, its sender can sign in as anyone.",
    fix: "Read the request's bytes before any JSON parser, compute the HMAC over them, and compare it with `timingSafeEqual` in full length. Only then parse the body. A library for Standard Webhooks does all of this.",
    svcLogin: "`createHostedLogin` verifies the raw bytes. Do not parse the body before it, for example in `proxy.ts`.",
    checks: {
      "5.6-raw-bytes": { requirement: "A receiver MUST verify the signature over the bytes that arrived, however the JSON in them is formatted.", cause: "A framework parses the body, and the receiver signs the output of `JSON.stringify`." },
      "5.6-unsigned": { requirement: "A receiver MUST answer 401 to an event without a signature.", cause: "A missing header is skipped, or equals a missing expected value." },
      "5.6-unsigned-kinds": { requirement: "A receiver MUST also answer 401 to an unsigned or wrongly signed `test` or `undone` event.", cause: "Events that do not sign anyone in are answered before the signature is verified." },
      "5.6-other-secret": { requirement: "A receiver MUST answer 401 to an event that is signed with another secret.", cause: "The signature is computed, but the result is not used." },
      "5.6-changed-body": { requirement: "A receiver MUST answer 401 to an event whose body was changed after signing, even by one space.", cause: "The body is parsed and serialized again before it is verified." },
      "5.6-signature-whole": { requirement: "A receiver MUST answer 401 to a part of a signature, and to a longer text that contains one.", cause: "Signatures are compared with `startsWith` or `includes`, or only up to the shorter length." },
      "5.6-keys": { requirement: "A receiver MUST use the secret's text as the key for `x-svc-signature` and its 32 bytes for `webhook-signature`, and refuse them the other way round.", cause: "Both kinds of signature use the same key." },
      "5.6-signed-id": { requirement: "A receiver MUST verify the event's id as part of the signature and answer 401 to a changed one.", cause: "The signature covers only the timestamp and the body, so a replay with another id is accepted." },
      "5.6-other-version": { requirement: "A receiver MUST ignore a signature of a version other than `v1`.", cause: "The text before the comma is ignored." },
    },
  },
  "Old events do not count": {
    why: "Otherwise anyone who recorded an event can send it again later and sign its user in.",
    fix: "Include `webhook-timestamp` in the signed text, and refuse an event that is more than five minutes from your clock. Remember each `webhook-id` that you processed.",
    checks: {
      "5.6-old": { requirement: "A receiver of Standard Webhooks MUST refuse an event with an old timestamp, even if its signature is valid.", cause: "`webhook-timestamp` is part of the signature, but is not compared with the clock." },
      "5.6-future": { requirement: "A receiver of Standard Webhooks MUST refuse an event with a timestamp in the future.", cause: "Only the age is compared, and a negative age counts as recent." },
      "5.6-signed-timestamp": { requirement: "A receiver MUST verify the timestamp as part of the signature and answer 401 to a changed one.", cause: "The timestamp is compared with the clock, but the signature covers only the body." },
    },
  },
} as const satisfies Texts;

export type ReceiverId = IdOf<typeof RECEIVER_TEXTS>;
