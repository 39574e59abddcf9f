import { z } from "zod";
import { parsePublicKey } from "../../crypto/public-key.ts";
import { nullOnError } from "../../crypto/secp256k1.ts";
import { toRefusal } from "../../http/call.ts";
import { readBodyBytes } from "../../http/read-body.ts";
import { ACTIONS } from "../../protocol/challenge.ts";
import { isSid } from "../../protocol/qr-payload.ts";
import type { LoginStep } from "../../server/core.ts";
import type { HostedStore } from "./store/hosted-store.ts";
import { verifyWebhook } from "./verify-webhook.ts";

/** Other events are acknowledged and ignored (docs/protocol.md#56-events). */
const LoginEvent = z.object({
  event: z.enum([...ACTIONS, "undone"]),
  timestamp: z.iso.datetime().transform((text) => new Date(text)),
  session_id: z.string().refine(isSid),
  data: z.object({
    public_key: z.string().transform((text, context) => {
      const key = parsePublicKey(text);
      if (key) return key.hex;
      context.addIssue({ code: "custom", message: "no public key" });
      return z.NEVER;
    }),
  }),
});

/**
 * Called when the user has undone a login in the wallet, so that you can end your own sessions that the login opened.
 * If the function throws, the API sends the event again. The function can be called twice for one login.
 */
export type OnUndone = (login: { sessionId: string; publicKey: string }) => void | Promise<void>;

export type EventReceiver = {
  keys: readonly Uint8Array[];
  store: HostedStore;
  now: () => Date;
  onUndone: OnUndone;
  onStep: (step: LoginStep) => void;
  onFailure: (message: string, error: unknown) => void;
};

const REFUSED = {
  unsigned: "Send webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).",
  stale: "This was sent more than five minutes ago, or our clocks differ. Send it again.",
  invalid_signature: "The signature does not match the body.",
};

/**
 * Verifies the signature over the raw bytes before parsing them, and returns 2xx once the event is stored. After any
 * other response, the API sends the event again.
 */
export async function receiveEvent(
  receiver: EventReceiver,
  request: Request,
  requestId: string,
): Promise<Response> {
  const { keys, now, onFailure } = receiver;
  try {
    const body = await readBodyBytes(request);
    const verification = verifyWebhook({ body, headers: request.headers }, { keys, now: now() });
    if ("refused" in verification) return answer(401, REFUSED[verification.refused]);
    await processEvent(receiver, readEvent(body), { eventId: verification.id, requestId });
    return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
  } catch (thrown) {
    const refusal = toRefusal(thrown, (error, what) => onFailure(`event not received: ${what}`, error));
    return answer(refusal.status, refusal.message);
  }
}

function readEvent(body: Uint8Array): z.infer<typeof LoginEvent> | null {
  return nullOnError(() =>
    LoginEvent.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))),
  );
}

async function processEvent(
  { store, now, onUndone, onStep }: EventReceiver,
  event: z.infer<typeof LoginEvent> | null,
  { eventId, requestId }: { eventId: string; requestId: string },
): Promise<void> {
  if (!event) return;
  const { session_id: sid, data, timestamp } = event;
  const at = now();
  if (event.event === "undone") {
    const outcome = await store.undo({ now: at, sid });
    await onUndone({ sessionId: sid, publicKey: data.public_key });
    if (outcome === "undone") onStep({ requestId, flow: "hosted", sid, outcome });
    return;
  }
  const authenticatedAt = timestamp < at ? timestamp : at;
  const outcome = await store.answer({ now: at, sid, eventId, publicKey: data.public_key, authenticatedAt });
  if (outcome === "answered") onStep({ requestId, flow: "hosted", sid, outcome: "authenticated" });
}

function answer(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { "Cache-Control": "no-store" } });
}
