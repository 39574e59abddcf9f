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

/**
 * The data of a `refused` event on the stream: a wallet answered and was turned away. Told to the bound
 * browser only and not part of the status, which stays what it was.
 */
export type RefusedEvent = { reason: "challenge_expired" | "invalid_signature" };

/** What a delivery answers with 200. */
export type ResponseAnswer = { status: "authenticated" };
