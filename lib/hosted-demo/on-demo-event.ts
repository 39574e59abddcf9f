import "server-only";
import type { EventEnvelope } from "#lib/hosted/contract/event.ts";
import { now } from "#lib/platform/clock.ts";
import { answerDemoLogin } from "./store/demo-login.ts";

/**
 * What the demo customer does with a proved event: remembers who signed in at the login that it started. An
 * event that came before, or belongs to no login of its own (a test event), changes nothing.
 * @param eventId the `webhook-id`
 */
export async function onDemoEvent({ session_id, data }: EventEnvelope, eventId: string): Promise<void> {
  await answerDemoLogin({ sessionId: session_id, eventId, publicKey: data.public_key, now: now() });
}
