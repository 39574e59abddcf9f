import { createHmac, timingSafeEqual } from "node:crypto";
import type { EventEnvelope } from "#lib/hosted/contract/event.ts";

/**
 * Receives an event of the hosted API, as any customer may copy it: proves the raw bytes by `x-svc-signature`
 * before it reads them, answers 401 to whatever is not proved, and leaves the rest to `onEvent`, which has to bear
 * an event that comes twice (it has the same id then) and one that it has no use for.
 * @param secret the domain's webhook secret, the whole text `whsec_…`
 */
export async function receiveEvent(
  body: Uint8Array,
  headers: Headers,
  secret: string,
  onEvent: (event: EventEnvelope, id: string) => Promise<void>,
): Promise<Response> {
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(headers.get("x-svc-signature") ?? "");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return Response.json({ error: "The signature does not match the body." }, { status: 401 });
  }
  const event: EventEnvelope = JSON.parse(new TextDecoder().decode(body));
  await onEvent(event, headers.get("webhook-id") ?? "");
  return new Response(null, { status: 204 });
}
