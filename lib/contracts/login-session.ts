/** The answers of flow A's endpoints (specification 2.3 and 4.1). */

/** `GET /api/svc/qr`. */
export type QrAnswer = {
  /** Session identifier. */
  sid: string;
  /** The challenge string (2.1). */
  challenge: string;
  /** QR payload (2.2). */
  qr: string;
  /** Unix seconds at which this challenge ends. */
  expiresAt: number;
};

/** `GET /api/svc/check`, and the data of each message of `GET /api/svc/events`. */
export type CheckAnswer =
  | { status: "pending" }
  | { status: "unregistered" }
  | { status: "authenticated"; user_id: number; redirect: string };

/** Why a wallet's answer was turned away. `foreign_key`: an approval was asked for, and the key is another user's. */
export const REFUSALS = ["challenge_expired", "invalid_signature", "foreign_key"] as const;

/**
 * The data of a `refused` event on the stream: a wallet answered and was turned away. Told to the bound
 * browser only and not part of the status, which stays what it was.
 */
export type RefusedEvent = { reason: (typeof REFUSALS)[number] };

/** The refusal of that name; null for any other text. */
export function parseRefusal(text: string | null | undefined): RefusedEvent["reason"] | null {
  return REFUSALS.find((reason) => reason === text) ?? null;
}

/** What a delivery answers with 200. */
export type DeliveryAnswer = { status: "authenticated" };
