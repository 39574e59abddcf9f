import "server-only";
import { parseChallenge } from "#lib/contracts/challenge.ts";
import type { Delivery } from "#lib/contracts/delivery.ts";
import { formatEvent } from "#lib/contracts/hosted/event.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { DeliveryAnswer } from "#lib/contracts/login-session.ts";
import { parsePublicKey } from "#lib/core/crypto/public-key.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { newEventId } from "#lib/core/random.ts";
import { findHostedChallenge, spendHostedChallenge } from "#lib/store/hosted-delivery.ts";
import { judgeDelivery, signerOf } from "../login/judge-delivery.ts";

/**
 * A wallet's delivery to a hosted session: as flow A's, but every key is welcome, since users are the
 * integrator's to know. Success and the outgoing event are one transaction (contract 5).
 * @param call.limit the request's, counted with the query
 * @throws {ApiError} 408 `challenge_expired` (for an unknown session too), 406 `invalid_signature`
 */
export async function acceptHostedDelivery(
  sid: string,
  delivery: Delivery,
  { requestId, limit }: { requestId: string; limit: RequestLimit | null },
): Promise<DeliveryAnswer> {
  const { challenge } = delivery;
  const publicKey = parsePublicKey(delivery.public_key);
  await judgeDelivery({
    requestId,
    flow: "hosted",
    lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS,
    find: async () => (parseChallenge(challenge) ? findHostedChallenge(challenge, sid, limit) : null),
    signer: () => signerOf(publicKey, delivery),
    async accept({ action, domainId, webhookUrl }, signer, at) {
      const spent = await spendHostedChallenge({
        now: at,
        challenge,
        publicKey: signer.hex,
        signedAt: delivery.timestamp,
        deviceInfo: delivery.device_info,
        event: {
          id: newEventId(),
          kind: action,
          domainId,
          url: webhookUrl,
          body: formatEvent({
            event: action,
            timestamp: at,
            sessionId: sid,
            data: {
              public_key: signer.hex,
              signature: delivery.signature,
              challenge,
              signed_at: delivery.timestamp,
              device_info: delivery.device_info ?? {},
            },
          }),
        },
      });
      return spent ? "accepted" : "used";
    },
  });
  return { status: "authenticated" };
}
