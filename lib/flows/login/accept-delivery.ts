import "server-only";
import { type Action, parseChallenge } from "#lib/contracts/challenge.ts";
import type { Delivery } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { DeliveryAnswer } from "#lib/contracts/login-session.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { type PublicKey, parsePublicKey } from "#lib/core/crypto/public-key.ts";
import { againOnUniqueViolation } from "#lib/core/database-error.ts";
import { env } from "#lib/core/env.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { tellLogin } from "#lib/core/observe/tell-login.ts";
import { deliverChallenge, markUnregistered } from "#lib/store/challenge-delivery.ts";
import { judgeDelivery, signerOf } from "./judge-delivery.ts";

/**
 * A wallet's delivery to flow A's webhooks: the rules of specification 4.1 in the order of contract 4.
 * @param action the webhook's own action; a challenge of the other one is none of its own
 * @param call.limit the request's, counted with the query
 * @throws {ApiError} 408 `challenge_expired`, 406 `invalid_signature`, 404 `user_not_found`
 */
export async function acceptDelivery(
  action: Action,
  delivery: Delivery,
  { requestId, limit }: { requestId: string; limit: RequestLimit | null },
): Promise<DeliveryAnswer> {
  const publicKey = parsePublicKey(delivery.public_key);
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = delivery;
  // Verified before the challenge is looked for, so that finding, judging and spending it are one statement.
  let signer: PublicKey | null = null;
  await judgeDelivery({
    requestId,
    flow: "integrator",
    lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS,
    async find(at) {
      if (!isOurChallenge(action, challenge)) return null;
      signer = signerOf(publicKey, delivery);
      const deliver = () =>
        deliverChallenge({
          limit,
          now: at,
          challenge,
          credential: publicKey?.hex ?? null,
          signed: signer !== null,
          registers: action === "register",
          signedAt,
          deviceInfo,
        });
      // The same key may be registered in another session at this very moment: it has its user then.
      return againOnUniqueViolation(deliver);
    },
    signer: () => signer,
    async accept(found, { hex }, at) {
      if (found.foreignKey) return "foreign_key";
      if (action === "register" || found.userId !== null) return found.spent ? "accepted" : "used";
      const { sid } = found;
      tellLogin({ requestId, flow: "integrator", sid, outcome: "unregistered", reason: "unknown_key" });
      await markUnregistered({ now: at, sid, credential: hex });
      throw new ApiError(
        "user_not_found",
        "No account has this key yet. Register with it on the site first.",
      );
    },
  });
  return { status: "authenticated" };
}

// The domain is part of the challenge's text: whatever it says otherwise was not issued here.
function isOurChallenge(action: Action, text: string): boolean {
  const challenge = parseChallenge(text);
  return challenge?.action === action && challenge.domain === env().DOMAIN;
}
