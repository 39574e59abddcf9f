import { z } from "zod";
import { ACTIONS } from "#lib/login/protocol/challenge.ts";
import { DeviceInfo } from "#lib/login/protocol/messages.ts";

/** What the hosted API tells customers (docs/protocol.md#56-events). `test` is sent on request only. */
export const EVENT_KINDS = [...ACTIONS, "test"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The `data` of an event. */
export const EventData = z.object({
  public_key: z.string().describe("The user's public key on this domain: lower-case uncompressed hex."),
  signature: z.string().describe("Hex of a DER-encoded ECDSA signature over SHA-256 of the challenge."),
  challenge: z.string().describe("The challenge that was signed."),
  signed_at: z.int().describe("Unix seconds by the wallet's own clock."),
  device_info: DeviceInfo.describe("What the wallet told of itself; empty when it told nothing."),
});
export type EventData = z.infer<typeof EventData>;

/** The envelope of every event. */
export const EventEnvelope = z.object({
  event: z.enum(EVENT_KINDS),
  timestamp: z.iso.datetime().describe("When it happened."),
  session_id: z.string(),
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
