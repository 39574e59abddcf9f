import type { Action } from "../challenge.ts";
import type { DeviceInfo } from "../delivery.ts";

/** What the hosted API tells integrators (specification 6). `test` is sent on request only (contract 5). */
export const EVENT_KINDS = ["login", "register", "test"] as const;
export type EventKind = Action | "test";

/** The `data` of an event (specification 6). */
export type EventData = {
  /** Hex. */
  public_key: string;
  /** Hex DER. */
  signature: string;
  /** The challenge string that was signed. */
  challenge: string;
  /** Unix seconds by the wallet's own clock. */
  signed_at: number;
  /** What the wallet told of itself; empty when it told nothing. */
  device_info: DeviceInfo;
};

/** The envelope of every event (specification 6). */
export type EventEnvelope = {
  event: EventKind;
  /** ISO 8601 UTC. */
  timestamp: string;
  session_id: string;
  data: EventData;
};

/**
 * The text of an event, made once: these very characters, in UTF-8, are kept, signed and sent at every try
 * (contract 5).
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
