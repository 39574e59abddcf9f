import "server-only";
import { type Action, parseChallenge } from "#lib/contracts/challenge.ts";
import type { Delivery } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { DeliveryAnswer } from "#lib/contracts/login-session.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { parsePublicKey } from "#lib/core/crypto/public-key.ts";
import { isUniqueViolation } from "#lib/core/db.ts";
import { env } from "#lib/core/env.ts";
import { log, shortSid } from "#lib/core/log.ts";
import { findChallenge, markUnregistered, spendChallenge } from "#lib/store/login-session.ts";
import { judgeDelivery, signerOf } from "./judge-delivery.ts";

/**
 * A wallet's delivery to flow A's webhooks: the rules of specification 4.1 in the order of contract 4.
 * @param action the webhook's own action; a challenge of the other one is none of its own
 * @throws {ApiError} 408 `challenge_expired`, 406 `invalid_signature`, 404 `user_not_found`
 */
export async function acceptDelivery(
  action: Action,
  delivery: Delivery,
  requestId: string,
): Promise<DeliveryAnswer> {
  const publicKey = parsePublicKey(delivery.public_key);
  await judgeDelivery({
    requestId,
    lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS,
    // The user of the key is looked up in the same round trip.
    find: async () =>
      isOurChallenge(action, delivery.challenge)
        ? findChallenge(delivery.challenge, publicKey?.hex ?? null)
        : null,
    signer: () => signerOf(publicKey, delivery),
    async accept(found, { hex }, at) {
      if (action === "register" || found.userId !== null)
        return authenticate(delivery, hex, found.userId, at);
      log().info({ requestId, session: shortSid(found.sid) }, "delivery from an unknown key");
      await markUnregistered({ now: at, sid: found.sid, credential: hex });
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

async function authenticate(delivery: Delivery, publicKey: string, userId: number | null, at: Date) {
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = delivery;
  const spend = (holder: number | null) =>
    spendChallenge({ now: at, challenge, credential: publicKey, userId: holder, signedAt, deviceInfo });
  try {
    return await spend(userId);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // The same key was registered in another session at this very moment: it has its user now.
    return spend((await findChallenge(challenge, publicKey))?.userId ?? null);
  }
}
