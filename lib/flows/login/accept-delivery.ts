import "server-only";
import { type Action, parseChallenge } from "#lib/contracts/challenge.ts";
import type { Delivery } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { DeliveryAnswer } from "#lib/contracts/login-session.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { parseDerSignature } from "#lib/core/crypto/der-signature.ts";
import { type PublicKey, parsePublicKey } from "#lib/core/crypto/public-key.ts";
import { verifySignature } from "#lib/core/crypto/verify-signature.ts";
import { isUniqueViolation } from "#lib/core/db.ts";
import { env } from "#lib/core/env.ts";
import { log, shortSid } from "#lib/core/log.ts";
import { findChallenge, logRefusal, markUnregistered, spendChallenge } from "#lib/store/login-session.ts";

/**
 * A wallet's delivery to flow A's webhooks: the rules of specification 4.1 in the order of contract 4. Nothing
 * is written before the signature has verified, but for the log; the challenge is spent by success alone.
 * @param action the webhook's own action; a challenge of the other one is none of its own
 * @throws {ApiError} 408 `challenge_expired`, 406 `invalid_signature`, 404 `user_not_found`
 */
export async function acceptDelivery(
  action: Action,
  delivery: Delivery,
  requestId: string,
): Promise<DeliveryAnswer> {
  const publicKey = parsePublicKey(delivery.public_key);
  const found = isOurChallenge(action, delivery.challenge)
    ? await findChallenge(delivery.challenge, publicKey?.hex ?? null)
    : null;
  const at = now();
  if (!found) throw refusal("challenge_expired");

  const refuse = async (reason: RefusalCode) => {
    log().info({ requestId, session: shortSid(found.sid), reason }, "delivery refused");
    await logRefusal({ now: at, sid: found.sid, reason });
    return refusal(reason);
  };
  if (found.used || found.issuedAt <= plusSeconds(at, -CHALLENGE_LIFETIME_SECONDS)) {
    throw await refuse("challenge_expired");
  }
  if (!publicKey || !isSignedBy(publicKey, delivery)) throw await refuse("invalid_signature");

  if (action === "login" && found.userId === null) {
    log().info({ requestId, session: shortSid(found.sid) }, "delivery from an unknown key");
    await markUnregistered({ now: at, sid: found.sid, credential: publicKey.hex });
    throw refusal("user_not_found");
  }
  if (!(await authenticate(delivery, publicKey, found.userId, at))) throw await refuse("challenge_expired");
  log().info({ requestId, session: shortSid(found.sid), action }, "login authenticated");
  return { status: "authenticated" };
}

// The domain is part of the challenge's text: whatever it says otherwise was not issued here.
function isOurChallenge(action: Action, text: string): boolean {
  const challenge = parseChallenge(text);
  return challenge?.action === action && challenge.domain === env().DOMAIN;
}

function isSignedBy(publicKey: PublicKey, { signature, challenge }: Delivery): boolean {
  const parsed = parseDerSignature(signature);
  return parsed !== null && verifySignature({ publicKey, signature: parsed, message: challenge });
}

async function authenticate(delivery: Delivery, { hex }: PublicKey, userId: number | null, at: Date) {
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = delivery;
  const spend = (holder: number | null) =>
    spendChallenge({ now: at, challenge, credential: hex, userId: holder, signedAt, deviceInfo });
  try {
    return await spend(userId);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // The same key was registered in another session at this very moment: it has its user now.
    return spend((await findChallenge(challenge, hex))?.userId ?? null);
  }
}

type RefusalCode = "challenge_expired" | "invalid_signature" | "user_not_found";

const REFUSALS: Record<RefusalCode, string> = {
  challenge_expired: "This code has expired or was used already. Scan the code that is on the screen now.",
  invalid_signature: "The signature does not verify over SHA-256 of the challenge with this public key.",
  user_not_found: "No account has this key yet. Register with it on the site first.",
};

function refusal(code: RefusalCode): ApiError {
  return new ApiError(code, REFUSALS[code]);
}
