import { z } from "zod";
import { ACTIONS } from "#lib/login/protocol/challenge.ts";
import { DeviceInfo } from "#lib/login/protocol/messages.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_SESSION_ID, EXAMPLE_WEBHOOK_URL, operations } from "./operation.ts";
import { NextCursor, PageQuery } from "./page.ts";

/** What the hosted API tells customers (docs/protocol.md#56-events). `test` is sent on request only. */
export const EVENT_KINDS = [...ACTIONS, "undone", "test"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Whose signature an event or a session is about. */
export const PublicKey = z
  .string()
  .describe("The user's public key on this domain: lower-case uncompressed hex.")
  .meta({ examples: ["04…"] });

/** The `data` of an event. */
export const EventData = z.object({
  public_key: PublicKey,
  signature: z
    .string()
    .describe("Hex of a DER-encoded ECDSA signature over SHA-256 of the challenge.")
    .meta({ examples: ["3045…"] }),
  challenge: z
    .string()
    .describe("The challenge that was signed.")
    .meta({ examples: [`svc:login:${EXAMPLE_DOMAIN}:1767225600:Zk3…`] }),
  signed_at: z
    .int()
    .describe("Unix seconds by the wallet's own clock.")
    .meta({ examples: [1767225604] }),
  device_info: DeviceInfo.describe("What the wallet told of itself; empty when it told nothing.").meta({
    examples: [{ platform: "ios", version: "2.1.0", device_id: "…" }],
  }),
});
export type EventData = z.infer<typeof EventData>;

/** The envelope of every event. */
export const EventEnvelope = z.object({
  event: z.enum(EVENT_KINDS),
  timestamp: z.iso.datetime().describe("When it happened."),
  session_id: z.string().meta({ examples: [EXAMPLE_SESSION_ID] }),
  data: EventData,
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

/**
 * The text of an event, made once: these very characters, in UTF-8, are kept, signed and sent at every attempt.
 */
export function formatEvent({
  event,
  timestamp,
  sessionId,
  data,
}: {
  event: EventKind;
  timestamp: Date;
  sessionId: string;
  data: EventData;
}): string {
  const { public_key, signature, challenge, signed_at, device_info } = data;
  const envelope: EventEnvelope = {
    event,
    timestamp: timestamp.toISOString(),
    session_id: sessionId,
    data: { public_key, signature, challenge, signed_at, device_info },
  };
  return JSON.stringify(envelope);
}

const Time = z.iso.datetime();

/** Where an event stands. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

/** One attempt to send an event. */
export const DeliveryAttempt = z.object({
  at: Time,
  status: z
    .int()
    .nullable()
    .describe("The status of the answer; null when there was none.")
    .meta({ examples: [200] }),
  error: z
    .string()
    .nullable()
    .describe("Why there was no answer, or why it was not read to its end.")
    .meta({ examples: [null] }),
  latency_ms: z.int().meta({ examples: [38] }),
  answer: z.string().nullable().describe("The beginning of the answer."),
});

/** An outgoing event with its attempts. */
export const DeliveryItem = z.object({
  id: z
    .string()
    .describe("The event's identifier, its `webhook-id`.")
    .meta({ examples: ["msg_…"] }),
  domain_id: z.string().meta({ examples: ["dom_…"] }),
  session_id: z
    .string()
    .nullable()
    .describe("The session it tells of; null for a test event.")
    .meta({ examples: [EXAMPLE_SESSION_ID] }),
  event: z
    .string()
    .describe("`login`, `register`, `undone` or `test`.")
    .meta({ examples: ["login"] }),
  url: z
    .string()
    .describe("Where it is posted.")
    .meta({ examples: [EXAMPLE_WEBHOOK_URL] }),
  status: z.enum(DELIVERY_STATUSES).meta({ examples: ["delivered"] }),
  created_at: Time,
  delivered_at: Time.nullable(),
  next_attempt_at: Time.nullable()
    .describe("When it is tried again, while pending.")
    .meta({ examples: [null] }),
  attempts: z.array(DeliveryAttempt).describe("Its attempts, newest first; the last 20 of them."),
});
export type DeliveryItem = z.infer<typeof DeliveryItem>;

/** An event with what was sent. */
export const DeliveryDetail = DeliveryItem.extend({
  body: z
    .string()
    .describe("The body, character by character as it is signed and sent.")
    .meta({ examples: ['{"event":"login",…}'] }),
  attempts: z
    .array(
      DeliveryAttempt.extend({
        headers: z
          .record(z.string(), z.string())
          .nullable()
          .describe("The headers that were sent; null when nothing was, or they can no longer be opened.")
          .meta({ examples: [{ "webhook-id": "msg_…", "x-svc-signature": "…" }] }),
      }),
    )
    .describe("Its attempts, newest first; the last 20 of them."),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const EVENT_OPERATIONS = operations({
  sendTestEvent: {
    tag: "Domains",
    method: "POST",
    path: "/domains/:id/test-event",
    summary: "Sends an event of the kind `test` to a domain's URL.",
    description:
      "Shaped, signed, retried and logged as every event is. Its `session_id` is `test`; its key, signature and challenge are made for the occasion and verify. While the domain is not verified there is one attempt and no retry, and a tenant may send ten in an hour, of all its domains and both modes together.",
    success: { status: 202, description: "It is on its way.", schema: DeliveryItem },
    errors: ["domain_not_found", "invalid_request"],
    limit: "other",
  },

  listDeliveries: {
    tag: "Deliveries",
    method: "GET",
    path: "/deliveries",
    summary: "Lists outgoing events with their attempts, newest first.",
    query: PageQuery.extend({
      domain_id: z.string().max(100).optional().describe("Of this domain only."),
      session_id: z.string().max(100).optional().describe("Of this session only."),
      status: z
        .enum(DELIVERY_STATUSES, "expected pending, delivered or failed")
        .optional()
        .describe("Of this status only."),
    }),
    success: {
      status: 200,
      description: "A page of events.",
      schema: z.object({ deliveries: z.array(DeliveryItem), next_cursor: NextCursor }),
    },
    errors: ["invalid_request"],
    limit: "other",
  },

  getDelivery: {
    tag: "Deliveries",
    method: "GET",
    path: "/deliveries/:id",
    summary: "Reads an outgoing event: its body, and the headers of each attempt.",
    success: { status: 200, description: "The event.", schema: DeliveryDetail },
    errors: ["not_found"],
    limit: "other",
  },

  resendDelivery: {
    tag: "Deliveries",
    method: "POST",
    path: "/deliveries/:id/resend",
    summary: "Sends an event again, now.",
    description:
      "The same `webhook-id` and the same body, to the session's own `webhook_url` or else to the domain's present one, with a schedule of retries of its own. Delivered events can be sent again too. A test event of a domain that is not verified is attempted once, and counts as another test event.",
    success: { status: 202, description: "It is on its way.", schema: DeliveryItem },
    errors: ["not_found", "invalid_request"],
    limit: "other",
  },
});
