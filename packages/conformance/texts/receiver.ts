import type { IdOf, Texts } from "../check.ts";

/** The requirements of a receiver of events, grouped by what they protect. */
export const RECEIVER_TEXTS = {
  "Valid events are accepted": {
    why: "The API sends an event again for three days until it gets a 2xx. Meanwhile the user's login does not complete.",
    fix: "Return 200 as soon as the event is verified and stored, even if it is a duplicate, late, out of order, or of an unknown type. Process it afterwards.",
    svcLogin: "`createHostedLogin` verifies events with `SVC_WEBHOOK_SECRET`, the secret of this domain. Its routes are mounted in `app/api/svc/[...path]/route.ts`.",
    checks: {
      "5.6-taken": { requirement: "A receiver MUST return 2xx for a correctly signed event.", cause: "The secret is wrong, or the signature is computed over the parsed body instead of its bytes. Start here." },
      "5.6-late": { requirement: "A receiver MUST accept an event whose delivery took a minute.", cause: "The tolerance is only a few seconds, so a slow network loses events." },
      "5.6-rotation": { requirement: "A receiver MUST accept an event if any of the signatures in `webhook-signature` verifies.", cause: "The header is compared as a whole, so every rotation of the secret loses events." },
      "5.6-svc-signature": { requirement: "A receiver that verifies `x-svc-signature` MUST NOT require any other header.", cause: "The receiver requires both kinds of signature." },
      "5.6-again": { requirement: "A receiver MUST return 2xx for an event that it has already received.", cause: "The second insert violates a constraint and causes a 500, so the event is sent for three days." },
      "5.6-at-once": { requirement: "A receiver MUST return 2xx for each of several simultaneous copies of an event.", cause: "The check whether an event was processed and the record of it are separate steps, and the second insert fails." },
      "5.6-order": { requirement: "A receiver MUST accept an older event after a newer one.", cause: "The receiver stores the last timestamp and refuses earlier ones." },
      "5.6-test-event": { requirement: "A receiver MUST accept an event of the type `test`.", cause: "Its `session_id` is looked up, but no such session exists." },
      "5.6-unknown-session": { requirement: "A receiver MUST return 2xx for an event of an unknown session.", cause: "The receiver returns 404, so the event is sent again for three days." },
      "5.6-unknown-type": { level: "SHOULD", requirement: "A receiver SHOULD return 2xx for an event of an unknown type.", cause: "The code for unknown types raises an error." },
      "5.6-unknown-fields": { requirement: "A receiver MUST ignore unknown fields.", cause: "The validation of the body rejects unknown fields." },
      "5.6-chunked": { level: "SHOULD", requirement: "A receiver SHOULD accept a chunked body without `Content-Length`.", cause: "The receiver reads as many bytes as `Content-Length` announces, and a proxy that sends the body in chunks omits the header." },
      "5.6-malformed": { requirement: "A receiver MUST NOT return a 5xx for a signed body that is not an event.", cause: "An exception from the JSON parser or from a missing field is not caught." },
      "5.6-error-body": { level: "SHOULD", requirement: 'A refusal SHOULD be JSON: `{"error":"<message>"}`.', cause: "The refusal has a plain-text or empty body, so the delivery log does not show the reason.", fix: 'Answer a refusal with `{"error":"…"}` that names the reason.' },
      "5.6-no-redirect": { requirement: "A receiver MUST NOT redirect, because the hosted API does not follow redirects.", cause: "The registered URL lacks its final slash, or uses http instead of https.", fix: "Register the URL to which the redirect leads." },
      "5.6-in-time": { requirement: "A receiver MUST answer within 15 seconds, after which the API ends the attempt.", cause: "The event is processed before the answer is sent. Put the work into a queue." },
      "5.6-method": { level: "SHOULD", requirement: "A receiver SHOULD return 4xx for a GET.", cause: "The handler does not check the method.", fix: "Return 405 for every method other than POST." },
    },
  },
  "Only the API's own events count": {
    why: "The URL of a receiver is not secret. If a forged event is accepted, its sender can sign in as anyone.",
    fix: "Read the request's bytes before any JSON parser, compute the HMAC over them, and compare it in constant time and in full length. Only then parse the body. A library for Standard Webhooks does all of this.",
    svcLogin: "`createHostedLogin` verifies the raw bytes. Do not parse the body before it, for example in `proxy.ts`.",
    checks: {
      "5.6-raw-bytes": { requirement: "A receiver MUST verify the signature over the bytes that arrived, regardless of how their JSON is formatted.", cause: "A framework parses the body, and the receiver verifies the signature over JSON that it serialized again." },
      "5.6-unsigned": { requirement: "A receiver MUST return 401 for an event without a signature.", cause: "An event without the header is not verified, or the missing header is compared with a missing expected value." },
      "5.6-unsigned-kinds": { requirement: "A receiver MUST also return 401 for a `test` or `undone` event that is unsigned or wrongly signed.", cause: "Events that do not sign anyone in are accepted before the signature is verified." },
      "5.6-other-secret": { requirement: "A receiver MUST return 401 for an event that is signed with another secret.", cause: "The signature is computed, but the result is not used." },
      "5.6-changed-body": { requirement: "A receiver MUST return 401 for an event whose body was changed after it was signed, even by one space.", cause: "The body is parsed and serialized again before it is verified." },
      "5.6-signature-whole": { requirement: "A receiver MUST return 401 if the header contains only a part of the signature, or the signature inside a longer text.", cause: "Signatures are compared only in part, for example up to the shorter length." },
      "5.6-keys": { requirement: "A receiver MUST use the secret's text as the key for `x-svc-signature` and the secret's 32 bytes for `webhook-signature`, and MUST reject signatures that use the other key.", cause: "Both kinds of signature use the same key." },
      "5.6-signed-id": { requirement: "A receiver MUST verify the event's id as part of the signature and return 401 for a changed id.", cause: "The signature covers only the timestamp and the body, so a replay with another id is accepted." },
      "5.6-other-version": { requirement: "A receiver MUST ignore signatures of any version other than `v1`.", cause: "The version before the comma is not checked." },
    },
  },
  "Old events do not count": {
    why: "Otherwise anyone who recorded an event can send it again later and sign its user in.",
    fix: "Include `webhook-timestamp` in the signed text, and refuse an event that is more than five minutes from your clock. Remember each `webhook-id` that you processed.",
    checks: {
      "5.6-old": { requirement: "A receiver of Standard Webhooks MUST reject an event with an old timestamp, even if its signature is valid.", cause: "`webhook-timestamp` is part of the signature, but is not compared with the clock." },
      "5.6-future": { requirement: "A receiver of Standard Webhooks MUST reject an event with a timestamp in the future.", cause: "Only the age is compared, and a negative age counts as recent." },
      "5.6-signed-timestamp": { requirement: "A receiver MUST verify the timestamp as part of the signature and return 401 for a changed timestamp.", cause: "The timestamp is compared with the clock, but the signature covers only the body." },
    },
  },
} as const satisfies Texts;

export type ReceiverId = IdOf<typeof RECEIVER_TEXTS>;
