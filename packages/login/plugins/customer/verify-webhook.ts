import { createHmac, timingSafeEqual } from "node:crypto";
import { unixSeconds } from "../../protocol/numbers.ts";

/**
 * Verifies Standard Webhooks 1.0 (https://www.standardwebhooks.com) as specified in docs/protocol.md#56-events:
 * HMAC-SHA256 over `{id}.{timestamp}.{body}`. The key is the part of the secret after `whsec_`, decoded from base64.
 */

/** Between the sender's clock and ours. An older request might be a replay. */
const TOLERANCE_SECONDS = 5 * 60;
/** A dot in an id could shift the boundaries between id, timestamp and body without changing the signed string. */
const ID = /^[A-Za-z0-9_-]{1,255}$/;
const TIMESTAMP = /^\d{1,12}$/;
/** During a rotation there is one signature for each secret. Checking many more would only cost time. */
const MAX_SIGNATURES = 8;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const [SHORTEST_KEY_BYTES, LONGEST_KEY_BYTES] = [24, 64];

export function webhookKey(secret: string): Buffer | null {
  const base64 = SECRET.exec(secret)?.[1];
  const key = base64 === undefined ? null : Buffer.from(base64, "base64");
  return key && key.length >= SHORTEST_KEY_BYTES && key.length <= LONGEST_KEY_BYTES ? key : null;
}

export type ReceivedWebhook = {
  /** The raw bytes of the body, because parsing and serializing the JSON could change its text. */
  body: Uint8Array;
  headers: Pick<Headers, "get">;
};

/**
 * The signature must be no more than five minutes old. Pure. Never throws.
 * @returns the `webhook-id`, or the reason why the webhook is refused
 */
export function verifyWebhook(
  { body, headers }: ReceivedWebhook,
  { keys, now }: { keys: readonly Uint8Array[]; now: Date },
): { id: string } | { refused: "unsigned" | "stale" | "invalid_signature" } {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const signatures = (headers.get("webhook-signature") ?? "").split(" ", MAX_SIGNATURES + 1);
  if (!ID.test(id) || !TIMESTAMP.test(timestamp) || signatures.length > MAX_SIGNATURES) {
    return { refused: "unsigned" };
  }
  const isSigned = keys.some((key) => {
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
    const expected = `v1,${hmac.digest("base64")}`;
    return signatures.some((signature) => isSameText(signature, expected));
  });
  if (!isSigned) return { refused: "invalid_signature" };
  const ageSeconds = unixSeconds(now) - Number(timestamp);
  return Math.abs(ageSeconds) > TOLERANCE_SECONDS ? { refused: "stale" } : { id };
}

/** Compares in constant time. */
function isSameText(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
