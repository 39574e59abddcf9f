import type { IdOf, Texts } from "../check.ts";

export const RECEIVER_TEXTS = {
  "Valid events are accepted": {
    why: "The API retries an event for up to three days until it gets a 2xx. Until then, the user's login does not complete.",
    fix: "Return 200 as soon as the event is verified and stored. Do this even if the event is a duplicate, arrives late or out of order, or has an unknown type. Process the event afterwards.",
    svcLogin: "`createHostedLogin` verifies events with this domain's secret, `SVC_WEBHOOK_SECRET`. Its routes are mounted in `app/api/svc/[...path]/route.ts`.",
    checks: {
      "5.6-taken": { requirement: "A receiver MUST return 2xx for a correctly signed event.", cause: "The secret is wrong, or the receiver computes the signature over the parsed body instead of the body's bytes. Fix this first." },
      "5.6-late": { requirement: "A receiver MUST accept an event that was sent a minute ago.", cause: "The receiver accepts only events from the last few seconds, so events are lost on a slow network." },
      "5.6-rotation": { requirement: "A receiver MUST accept an event if any of the signatures in `webhook-signature` verifies.", cause: "The receiver compares the header with a single signature, so events are lost whenever the secret is rotated." },
      "5.6-svc-signature": { requirement: "A receiver that verifies `x-svc-signature` MUST NOT require any other header.", cause: "The receiver requires both kinds of signature." },
      "5.6-again": { requirement: "A receiver MUST return 2xx for an event that it has already received.", cause: "The second insert violates a constraint and causes a 500, so the API keeps sending the event for three days." },
      "5.6-at-once": { requirement: "A receiver MUST return 2xx for each of several simultaneous copies of an event.", cause: "The receiver uses separate steps to check whether it has processed an event and to record it, so the second insert fails." },
      "5.6-order": { requirement: "A receiver MUST accept an older event after a newer one.", cause: "The receiver stores the last timestamp and refuses events with an earlier timestamp." },
      "5.6-test-event": { requirement: "A receiver MUST accept an event with the type `test`.", cause: "The receiver looks up the event's `session_id`, which does not exist." },
      "5.6-unknown-session": { requirement: "A receiver MUST return 2xx for an event that belongs to an unknown session.", cause: "The receiver returns 404, so the API keeps sending the event for three days." },
      "5.6-unknown-type": { level: "SHOULD", requirement: "A receiver SHOULD return 2xx for an event with an unknown type.", cause: "The receiver throws an exception for unknown types." },
      "5.6-unknown-fields": { requirement: "A receiver MUST ignore unknown fields in an event.", cause: "The validation of the body rejects unknown fields." },
      "5.6-chunked": { level: "SHOULD", requirement: "A receiver SHOULD accept a chunked body without `Content-Length`.", cause: "The receiver reads as many bytes as `Content-Length` specifies. If a proxy sends the body in chunks, this header is missing." },
      "5.6-malformed": { requirement: "A receiver MUST NOT return a 5xx for a signed body that is not an event.", cause: "The receiver does not catch an exception that the JSON parser throws or that a missing field causes." },
      "5.6-error-body": { level: "SHOULD", requirement: 'If a receiver refuses an event, it SHOULD return JSON in the form `{"error":"<message>"}`.', cause: "The body is empty or plain text, so the delivery log does not show the reason.", fix: 'If you refuse an event, return the reason as `{"error":"…"}`.' },
      "5.6-no-redirect": { requirement: "A receiver MUST NOT redirect, because the hosted API does not follow redirects.", cause: "The registered URL does not end with a slash but the receiver requires one, or the URL uses HTTP instead of HTTPS.", fix: "Register the URL to which the receiver redirects." },
      "5.6-in-time": { requirement: "A receiver MUST respond within 15 seconds, because the API ends the attempt after this time.", cause: "The receiver processes the event before it responds. Move this work to a queue." },
      "5.6-method": { level: "SHOULD", requirement: "A receiver SHOULD return a 4xx for a GET.", cause: "The handler does not check the method.", fix: "Return 405 for every method other than POST." },
    },
  },
  "Only the API's own events count": {
    why: "The URL of a receiver is not secret. If a receiver accepts a forged event, the sender of this event can sign in as any user.",
    fix: "Read the bytes of the request before a JSON parser does. Compute the HMAC over these bytes, and compare the complete HMAC with the signature in constant time. Only then parse the body. A library for Standard Webhooks does all of this.",
    svcLogin: "`createHostedLogin` verifies the raw bytes. Do not parse the body before `createHostedLogin` reads it, for example in `proxy.ts`.",
    checks: {
      "5.6-raw-bytes": { requirement: "A receiver MUST verify the signature over the exact bytes that it received, regardless of how the JSON is formatted.", cause: "A framework parses the body, and the receiver serialises the JSON again and verifies the signature over the result." },
      "5.6-unsigned": { requirement: "A receiver MUST return 401 for an event without a signature.", cause: "If the header is missing, the receiver skips the verification, or compares the missing header with an expected value that is also missing." },
      "5.6-unsigned-kinds": { requirement: "A receiver MUST also return 401 for a `test` or `undone` event that is unsigned or has a wrong signature.", cause: "If an event does not sign a user in, the receiver accepts it without verifying the signature." },
      "5.6-other-secret": { requirement: "A receiver MUST return 401 for an event that is signed with a different secret.", cause: "The receiver computes the signature, but does not use the result." },
      "5.6-changed-body": { requirement: "A receiver MUST return 401 for an event whose body was changed after it was signed, even if the change is a single space.", cause: "The receiver parses the body and serialises it again before it verifies the signature." },
      "5.6-signature-whole": { requirement: "A receiver MUST return 401 if the header contains only part of the signature, or the signature inside a longer string.", cause: "The receiver compares the signatures only partly, for example up to the length of the shorter one." },
      "5.6-keys": { requirement: "A receiver MUST use the secret's text, including `whsec_`, as the key for `x-svc-signature` and the 32 bytes of the decoded secret for `webhook-signature`, and MUST reject signatures that use the other key.", cause: "The receiver uses the same key for both kinds of signature." },
      "5.6-signed-id": { requirement: "A receiver MUST verify the event's id as part of the signature, and return 401 if the id was changed.", cause: "The signature covers only the timestamp and the body, so a replay with a different id is accepted." },
      "5.6-other-version": { requirement: "A receiver MUST ignore signatures with any version other than `v1`.", cause: "The receiver does not check the version before the comma." },
    },
  },
  "Old events do not count": {
    why: "If a receiver accepts old events, anyone who has recorded an event can send it again later to sign in as its user.",
    fix: "Include `webhook-timestamp` in the text whose signature you verify. Refuse an event if this timestamp differs from your clock by more than five minutes. Store each `webhook-id` that you have processed.",
    checks: {
      "5.6-old": { requirement: "A receiver of Standard Webhooks MUST reject an event with an old timestamp, even if its signature is valid.", cause: "The receiver verifies `webhook-timestamp` as part of the signature, but does not compare it with the clock." },
      "5.6-future": { requirement: "A receiver of Standard Webhooks MUST reject an event with a timestamp in the future.", cause: "The receiver checks only whether the event is too old, so a negative age counts as recent." },
      "5.6-signed-timestamp": { requirement: "A receiver MUST verify the timestamp as part of the signature, and return 401 if the timestamp was changed.", cause: "The receiver compares the timestamp with the clock, but verifies the signature only over the body." },
    },
  },
} as const satisfies Texts;

export type ReceiverId = IdOf<typeof RECEIVER_TEXTS>;
