import { z } from "zod";
import { ACTIONS } from "#packages/login/protocol/challenge.ts";
import { DeviceInfo } from "#packages/login/protocol/messages.ts";
import {
  defineOperations,
  EXAMPLE_DOMAIN,
  EXAMPLE_SESSION_ID,
  EXAMPLE_WEBHOOK_URL,
  textSchema,
} from "./operation.ts";
import { NextCursor, PageQuery } from "./page.ts";

export const PublicKey = textSchema(
  "The user's public key on this domain: lower-case uncompressed hex.",
  "04…",
);

/** Also the name of the login's event. */
export const LoginAction = z.enum(ACTIONS, 'expected "login" or "register"');

export const EventDevice = DeviceInfo.meta({
  description: "The wallet's description of its device; empty if it sent none.",
  examples: [{ platform: "ios", version: "2.1.0", device_id: "…" }],
});

export const EventData = z.object({
  public_key: PublicKey,
  signature: textSchema("Hex of a DER-encoded ECDSA signature over SHA-256 of the challenge.", "3045…"),
  challenge: textSchema("The challenge that was signed.", `svc:login:${EXAMPLE_DOMAIN}:1767225600:Zk3…`),
  signed_at: z.int().meta({ description: "Unix seconds by the wallet's own clock.", examples: [1767225604] }),
  device_info: EventDevice,
});
export type EventData = z.infer<typeof EventData>;

/** The API sends `test` only on request. */
export const EventKind = z.enum([...ACTIONS, "undone", "test"]);

/** The JSON of every event (docs/protocol.md#56-events). */
export const EventEnvelope = z.object({
  event: EventKind,
  timestamp: z.iso.datetime().describe("The time of the event."),
  session_id: z.string().meta({ examples: [EXAMPLE_SESSION_ID] }),
  data: EventData,
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

/** Serializes an event once. Exactly this text, in UTF-8, is stored, signed and sent in every attempt. */
export function formatEvent(
  event: EventEnvelope["event"],
  timestamp: Date,
  sessionId: string,
  data: EventData,
): string {
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

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES, "expected pending, delivered or failed");

export const DeliveryAttempt = z.object({
  at: Time,
  status: z
    .int()
    .nullable()
    .meta({ description: "The status of the answer; null if there was none.", examples: [200] }),
  error: z
    .string()
    .nullable()
    .meta({
      description: "The reason why there was no answer, or why it was not read completely.",
      examples: [null],
    }),
  latency_ms: z.int().meta({ examples: [38] }),
  answer: z.string().nullable().describe("The beginning of the answer."),
});

const attemptsOf = <Attempt extends z.ZodType>(attempt: Attempt) =>
  z.array(attempt).describe("The last 20 attempts, newest first.");

export const DeliveryItem = z.object({
  id: textSchema("The event's identifier, its `webhook-id`.", "msg_…"),
  domain_id: z.string().meta({ examples: ["dom_…"] }),
  session_id: z
    .string()
    .nullable()
    .meta({
      description: "The session that the event is about; null for a test event.",
      examples: [EXAMPLE_SESSION_ID],
    }),
  event: EventKind,
  url: textSchema("Where it is posted.", EXAMPLE_WEBHOOK_URL),
  status: DeliveryStatus.meta({ examples: ["delivered"] }),
  created_at: Time,
  delivered_at: Time.nullable(),
  next_attempt_at: Time.nullable().meta({
    description: "The time of the next attempt for a pending event.",
    examples: [null],
  }),
  attempts: attemptsOf(DeliveryAttempt),
});
export type DeliveryItem = z.infer<typeof DeliveryItem>;

export const DeliveryAttemptWithHeaders = DeliveryAttempt.extend({
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .meta({
      description:
        "The headers that were sent; null if none were sent, or if they can no longer be decrypted.",
      examples: [{ "webhook-id": "msg_…", "x-svc-signature": "…" }],
    }),
});

export const DeliveryDetail = DeliveryItem.extend({
  body: textSchema("The body, exactly as it is signed and sent.", '{"event":"login",…}'),
  attempts: attemptsOf(DeliveryAttemptWithHeaders),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const EVENT_OPERATIONS = defineOperations("Deliveries", {
  listDeliveries: {
    route: "GET /deliveries",
    summary: "Lists outgoing events with their attempts, newest first.",
    query: PageQuery.extend({
      domain_id: z.string().max(100).optional().describe("Only events for this domain."),
      session_id: z.string().max(100).optional().describe("Only events for this session."),
      status: DeliveryStatus.optional().describe("Only events with this status."),
    }),
    success: {
      status: 200,
      description: "A page of events.",
      schema: z.object({ deliveries: z.array(DeliveryItem), next_cursor: NextCursor }),
    },
  },

  getDelivery: {
    route: "GET /deliveries/:id",
    summary: "Reads an outgoing event: its body, and the headers of each attempt.",
    success: { status: 200, description: "The event.", schema: DeliveryDetail },
    errors: ["not_found"],
  },

  resendDelivery: {
    route: "POST /deliveries/:id/resend",
    summary: "Sends an event again, now.",
    description:
      "The same `webhook-id` and the same body, to the session's own `webhook_url` or else to the domain's present one, with its own schedule of retries. Delivered events can be sent again too. A test event of a domain that is not verified is attempted once, and counts as another test event.",
    success: { status: 202, description: "The event is being sent.", schema: DeliveryItem },
    errors: ["not_found"],
  },
});
