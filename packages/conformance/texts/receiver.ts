import type { IdOf, Texts } from "../check.ts";

/** What the checks of a receiver of events require, by what they guard. */
export const RECEIVER_TEXTS = {
  "Good events are taken": {
    why: "What is not answered with a 2xx comes again for three days, and a user waits for a login that was lost.",
    fix: "Answer 200 as soon as the event is verified and stored, also when it comes twice, late, out of order, or is of a kind that you do not know. Do the work afterwards.",
    checks: {
      "5.6-taken": {
        requirement: "A correctly signed event is answered with a 2xx.",
        cause: "The wrong secret, or a signature over the parsed body instead of its bytes: begin here.",
      },
      "5.6-late": {
        requirement: "An event that was on its way for a minute is taken.",
        cause: "The tolerance is a few seconds, so that a slow network loses events.",
      },
      "5.6-rotation": {
        requirement: "Of several signatures in `webhook-signature` one that verifies is enough, in any place.",
        cause: "The header is compared as a whole, so that every rotation of the secret loses events.",
      },
      "5.6-svc-signature": {
        requirement: "A receiver that goes by `x-svc-signature` needs no other header.",
        cause: "Both families are required, so the simple one is of no use.",
      },
      "5.6-again": {
        requirement: "An event that comes again is acknowledged again, and breaks nothing.",
        cause: "The second insert violates a constraint, and the answer is a 500: the event is sent for three days.",
      },
      "5.6-at-once": {
        requirement: "The same event several times at once is acknowledged each time.",
        cause: "Whether an event was taken is read and written in separate steps.",
      },
      "5.6-order": {
        requirement: "Events come in any order: an older one after a newer one is taken.",
        cause: "The receiver keeps the last timestamp and refuses what is before it.",
      },
      "5.6-test-event": {
        requirement: "The event `test` is taken.",
        cause: "Its `session_id` is looked for, and not found.",
      },
      "5.6-unknown-session": {
        requirement: "An event for a session that the receiver does not know is acknowledged.",
        cause: "The answer is a 404, so the event is sent for three days.",
      },
      "5.6-unknown-type": {
        level: "SHOULD",
        requirement: "An event of a type that the receiver does not know is acknowledged.",
        cause: "A `switch` whose default throws.",
      },
      "5.6-unknown-fields": {
        requirement: "Fields that the receiver does not know are ignored.",
        cause: "The body is validated strictly.",
      },
      "5.6-chunked": {
        level: "SHOULD",
        requirement: "A body that comes in chunks, without its length, is taken.",
        cause: "As much is read as `Content-Length` says: nothing, where a proxy in front passes the body on as it comes.",
      },
      "5.6-malformed": {
        requirement: "A signed body that is no event breaks nothing: no 5xx.",
        cause: "The exception of `JSON.parse`, or of a missing field, is not caught.",
      },
      "5.6-error-body": {
        level: "SHOULD",
        requirement: 'A refusal is JSON: `{"error":"<message>"}`.',
        cause: "The refusal is a text or empty, so the delivery log says nothing of use.",
      },
      "5.6-no-redirect": {
        requirement: "The answer is no redirect: the hosted API follows none.",
        cause: "The address lacks its last slash, or names http where https is.",
      },
      "5.6-in-time": {
        requirement: "An event is answered within 15 seconds, which is when an attempt ends.",
        cause: "The work is done before the answer; put it into a queue.",
      },
      "5.6-method": {
        level: "SHOULD",
        requirement: "Only a POST is an event: GET is refused with a 4xx.",
        cause: "The handler does not look at the method.",
      },
    },
  },
  "Only the API's own events count": {
    why: "The address of a receiver is no secret. Whoever posts an event that is believed signs in as anybody.",
    fix: "Read the request's bytes before any JSON parser, compute the HMAC over them, and compare it with `timingSafeEqual` in full length. Only then parse. A library of Standard Webhooks does it all.",
    checks: {
      "5.6-raw-bytes": {
        requirement: "The signature is judged over the bytes that came, however the JSON in them is written.",
        cause: "A framework parses the body, and the receiver signs `JSON.stringify` of what it was given.",
      },
      "5.6-unsigned": {
        requirement: "An event without a signature gets 401.",
        cause: "A missing header is skipped, or compares equal to a missing expectation.",
      },
      "5.6-unsigned-kinds": {
        requirement: "A `test` or `undone` event without a signature, or signed with another secret, gets 401 too.",
        cause: "What signs nobody in is answered before the signature is judged.",
      },
      "5.6-other-secret": {
        requirement: "An event that is signed with another secret gets 401.",
        cause: "The signature is computed, and the result is not used.",
      },
      "5.6-changed-body": {
        requirement: "An event whose body was changed after it was signed gets 401, by one character of white space too.",
        cause: "The body is parsed and written again before it is judged.",
      },
      "5.6-signature-whole": {
        requirement: "A part of a signature, or one that holds another, gets 401.",
        cause: "Signatures are compared by `startsWith` or `includes`, or only up to the shorter length.",
      },
      "5.6-keys": {
        requirement: "`x-svc-signature` is keyed by the secret's text, `webhook-signature` by its 32 bytes; not the other way round.",
        cause: "One key for both families.",
      },
      "5.6-signed-id": {
        requirement: "The event's id is part of the signature: another one before the same signature gets 401.",
        cause: "The signature is judged over timestamp and body, so that a replay under another id is taken.",
      },
      "5.6-other-version": {
        requirement: "A signature of another version than `v1` proves nothing.",
        cause: "What stands before the comma is ignored.",
      },
    },
  },
  "Old events do not count": {
    why: "A recorded event would sign its user in again, whenever somebody sends it once more.",
    fix: "Take `webhook-timestamp` into the signed text, and refuse what is more than five minutes away from your clock. Remember each `webhook-id` that was taken.",
    checks: {
      "5.6-old": {
        requirement: "A receiver of Standard Webhooks refuses an event whose timestamp is old, though its signature is right.",
        cause: "`webhook-timestamp` goes into the signature, and nobody compares it with the clock.",
      },
      "5.6-future": {
        requirement: "A receiver of Standard Webhooks refuses an event whose timestamp lies in the future.",
        cause: "Only the age is compared, and a negative one is young.",
      },
      "5.6-signed-timestamp": {
        requirement: "The timestamp is part of the signature: a fresh one before an old signature gets 401.",
        cause: "The timestamp is compared with the clock, and the signature is judged over the body alone.",
      },
    },
  },
} as const satisfies Texts;

export type ReceiverId = IdOf<typeof RECEIVER_TEXTS>;
