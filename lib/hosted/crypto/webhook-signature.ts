import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * Creates the headers that authenticate an event to its endpoint.
 *
 * - `x-svc-signature`: hex HMAC-SHA256 of the body, keyed by the current secret's text as it is shown, `whsec_`
 * included. The header has room for only one value, so after a rotation there is no signature with the previous secret.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature` (Standard Webhooks 1.0): `v1,` and base64 HMAC-SHA256 of
 * `id.timestamp.body`, keyed by the bytes in base64 after `whsec_`; one for each secret, separated by spaces.
 *
 * @param input.id the event's id, which is the same at every attempt
 * @param input.timestamp Unix seconds of this attempt
 * @param input.body the exact text that is sent
 * @param input.secrets the current secret first, then the previous ones with which events are also signed
 */
export function signEvent(input: {
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
