import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * Creates the headers that authenticate an event.
 *
 * - `x-svc-signature`: hex HMAC-SHA256 of the body. The key is the current secret's whole text, including `whsec_`. The
 * header has room for only one value, so after a rotation it does not contain a signature with the previous secret.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature` (Standard Webhooks 1.0): `v1,` and base64 HMAC-SHA256 of
 * `id.timestamp.body`. The key is the bytes that follow `whsec_` in base64. One signature per secret, separated by
 * spaces.
 *
 * @param input.id the event's id, the same in every attempt
 * @param input.timestamp Unix seconds of this attempt
 * @param input.body the exact text that is sent
 * @param input.secrets the current secret, followed by previous ones that still sign events
 */
export function createSignatureHeaders(input: {
  id: string;
  timestamp: number;
  body: string;
  secrets: readonly [string, ...string[]];
}): Record<string, string> {
  const { id, timestamp, body, secrets } = input;
  const content = `${id}.${timestamp}.${body}`;
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  return {
    "x-svc-signature": createHmac("sha256", secrets[0]).update(body).digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.join(" "),
  };
}
