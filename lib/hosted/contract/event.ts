import { z } from "zod";
import { ACTIONS } from "#lib/login/protocol/challenge.ts";
import { DeviceInfo } from "#lib/login/protocol/messages.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_SESSION_ID } from "./operation.ts";

/** What the hosted API tells customers (docs/protocol.md#56-events). `test` is sent on request only. */
export const EVENT_KINDS = [...ACTIONS, "test"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Whose signature an event or a session tells of. */
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
